package cli

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/pipeline"
)

// scratchNone leaves out the proof on any engine.
const scratchNone = "none"

// scratchSchemes are the dialects that a server can prove, by the scheme of its URL. MySQL and MariaDB speak one protocol, and each takes
// most of what is written for the other.
var scratchSchemes = map[string][]string{"postgres": {"postgres"}, "postgresql": {"postgres"}, "mysql": {"mysql", "mariadb"}, "mariadb": {"mysql", "mariadb"}}

// scratchDialects gives the dialects that a server can prove.
func scratchDialects(server string) ([]string, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme == "" || u.Opaque != "" {
		return nil, errors.New("is no URL of a server; it is written like postgres://user@host:5432/postgres, or mysql://user@host:3306/")
	}
	dialects := scratchSchemes[u.Scheme]
	if dialects == nil {
		return nil, fmt.Errorf("%s is a server of no dialect that is proved on one; the URL of a PostgreSQL server begins with postgres://, and that of a MySQL or MariaDB server with mysql://", shown(server))
	}
	return dialects, nil
}

// scratchFor has a server prove the dialects that it can.
func scratchFor(dialects []string, server string) pipeline.Scratch {
	scratch := pipeline.Scratch{}
	for _, d := range dialects {
		scratch[d] = server
	}
	return scratch
}

// shown gives a server's URL as it may be printed: the password can also stand behind the question mark.
func shown(server string) string {
	u, err := url.Parse(server)
	if err != nil || strings.Contains(u.Path, "@") { // a password with a slash in it
		return "the URL"
	}
	public := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		public.User = url.User(name)
	}
	return public.String()
}

// withoutPasswords has the URLs in a text as they may be printed.
func withoutPasswords(text string) string { return anyURL.ReplaceAllStringFunc(text, shown) }

var anyURL = regexp.MustCompile(`\w+://\S*`)

// passwords are the secrets in a server's URL, as it has them and as they are: what is logged may have either.
func passwords(server string) []string {
	secrets := []string{server}
	if match := inURL.FindStringSubmatch(server); match != nil {
		secrets = append(secrets, match[1])
	}
	u, err := url.Parse(server)
	if err != nil {
		return secrets
	}
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password)
	}
	for _, key := range []string{"password", "sslpassword"} {
		secrets = append(secrets, u.Query()[key]...)
	}
	return secrets
}

// inURL finds the password in text that need not be a good URL.
var inURL = regexp.MustCompile(`^[^:]*://[^/?#]*?:(.*)@`)

// scratch is where plans are proved, which the schemas that are reviewed must have a use for.
func (r run) scratch(targets []pipeline.Target) (pipeline.Options, error) {
	server := r.flags.Scratch
	switch {
	case server.Value == scratchNone:
		return pipeline.Options{NoEngine: true}, nil
	case !server.Given:
		return pipeline.Options{}, nil
	}
	dialects, err := scratchDialects(server.Value)
	if err != nil {
		return pipeline.Options{}, fmt.Errorf("--scratch: %w", err)
	}
	for _, t := range targets {
		if slices.Contains(dialects, t.Dialect) {
			return pipeline.Options{Scratch: scratchFor(dialects, server.Value)}, nil
		}
	}
	return pipeline.Options{}, fmt.Errorf("--scratch: %s is a server of the dialect %s, and no schema here is of that dialect; leave it out", shown(server.Value), strings.Join(dialects, " or "))
}
