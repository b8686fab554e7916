package server_test

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		dialect, text string
		want          server.Server
	}{
		{"mysql", "", server.Server{Major: 8}},
		{"mariadb", "", server.Server{MariaDB: true, Major: 10, Minor: 6}},
		{"mysql", "5.7", server.Server{Major: 5, Minor: 7}},
		{"mysql", "8.0.36", server.Server{Major: 8, Patch: 36}},
		{"mysql", "9", server.Server{Major: 9}},
		{"mariadb", "10.11.6", server.Server{MariaDB: true, Major: 10, Minor: 11, Patch: 6}},
		{"mariadb", "12.1", server.Server{MariaDB: true, Major: 12, Minor: 1}},
	} {
		if got, err := server.Parse(c.dialect, c.text); err != nil || got != c.want {
			t.Errorf("%s %q: %v %v, want %v", c.dialect, c.text, got, err, c.want)
		}
	}
	for _, c := range [][2]string{{"mysql", "5.6"}, {"mysql", "10.5"}, {"mariadb", "10.4"}, {"mariadb", "8.0"}, {"mysql", "8.x"}, {"mysql", "8.0.1.2"}, {"mysql", "-8"}, {"mariadb", "13.0"}} {
		if got, err := server.Parse(c[0], c[1]); err == nil {
			t.Errorf("%s %s is taken as %v", c[0], c[1], got)
		}
	}
}

func TestVersions(t *testing.T) {
	mysql, maria := server.Server{Major: 8, Patch: 16}, server.Server{MariaDB: true, Major: 10, Minor: 11}
	if !mysql.MySQL(8, 0, 16) || mysql.MySQL(8, 0, 17) || mysql.Maria(5, 0, 0) || !maria.Maria(10, 11, 0) || maria.Maria(11, 0, 0) || maria.MySQL(5, 7, 0) {
		t.Error("versions are compared wrongly")
	}
	if mysql.Newest() != mysql || !maria.Newest().Maria(10, 11, 16) || maria.Newest().Maria(11, 0, 0) {
		t.Error("the newest of a series is another")
	}
}
