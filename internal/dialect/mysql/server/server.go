// Package server says of which server a schema or a plan is: MySQL or MariaDB, and which version. It knows facts that hang on the version
// alone, and no schema.
package server

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// Server is a flavour with a version. The zero Server is no server.
type Server struct {
	MariaDB             bool
	Major, Minor, Patch int
}

// The oldest servers that plans are made for unless a version is stated, and the bounds of what is known.
var (
	defaultMySQL, oldestMySQL, newestMySQL       = Server{false, 8, 0, 0}, Server{false, 5, 7, 0}, Server{false, 9, 99, 99}
	defaultMariaDB, oldestMariaDB, newestMariaDB = Server{true, 10, 6, 0}, Server{true, 10, 5, 0}, Server{true, 12, 99, 99}
)

// Parse reads a version as the configuration states it ("8.0", "8.0.36", "10.11"); empty is the dialect's default. What is not stated of it is the
// oldest: nothing newer is rendered.
func Parse(dialect, text string) (Server, error) {
	s, oldest, newest := defaultMySQL, oldestMySQL, newestMySQL
	if dialect == "mariadb" {
		s, oldest, newest = defaultMariaDB, oldestMariaDB, newestMariaDB
	}
	if text == "" {
		return s, nil
	}
	s.Minor, s.Patch = 0, 0
	parts := strings.Split(text, ".")
	numbers := []*int{&s.Major, &s.Minor, &s.Patch}
	if len(parts) > len(numbers) {
		return Server{}, wrong(dialect, text)
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 99 {
			return Server{}, wrong(dialect, text)
		}
		*numbers[i] = n
	}
	if s.number() < oldest.number() || s.number() > newest.number() {
		return Server{}, &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("%s %s is not among the versions that plans are made for, %d.%d to %d",
			s.Name(), text, oldest.Major, oldest.Minor, newest.Major)}
	}
	return s, nil
}

func wrong(dialect, text string) error {
	return &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("%q is no version of %s; write it as 8.0 or 10.11.6", text, dialect)}
}

// Name is the server's name for people.
func (s Server) Name() string {
	if s.MariaDB {
		return "MariaDB"
	}
	return "MySQL"
}

// String gives name and version.
func (s Server) String() string {
	switch {
	case s.Minor == open:
		return fmt.Sprintf("%s %d", s.Name(), s.Major)
	case s.Patch == open:
		return fmt.Sprintf("%s %d.%d", s.Name(), s.Major, s.Minor)
	}
	return fmt.Sprintf("%s %d.%d.%d", s.Name(), s.Major, s.Minor, s.Patch)
}

// open is the number of what is not stated of a version, where the newest is meant.
const open = 99

// Newest gives the newest server that a version as Parse reads it can mean: 8.0 is 8.0.99. What a text may say, and what a plan may, is held
// to that; what a statement costs is asked of the oldest.
func Newest(dialect, text string) (Server, error) {
	s, err := Parse(dialect, text)
	switch parts := strings.Count(text, ".") + 1; {
	case err != nil:
	case text == "" || parts == 2:
		s.Patch = open
	case parts == 1:
		s.Minor, s.Patch = open, open
	}
	return s, err
}

// MySQL tells whether it is MySQL of at least this version.
func (s Server) MySQL(major, minor, patch int) bool {
	return !s.MariaDB && s.number() >= (Server{false, major, minor, patch}).number()
}

// Maria tells whether it is MariaDB of at least this version.
func (s Server) Maria(major, minor, patch int) bool {
	return s.MariaDB && s.number() >= (Server{true, major, minor, patch}).number()
}

// Newest is the newest server that a stated version means: without a patch, the last of the series. Plans render nothing that the oldest of
// them does not have, and schemas are read as the newest of them reads them: a CHECK in a schema for 8.0 counts, though 8.0.15 ignored it.
func (s Server) Newest() Server {
	if s.Patch == 0 {
		s.Patch = 99
	}
	return s
}

func (s Server) number() int { return s.Major*10_000 + s.Minor*100 + s.Patch }
