package address

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ url, user, password, net, addr string }{
		{"mysql://root@127.0.0.1:3306/", "root", "", "tcp", "127.0.0.1:3306"},
		{"mariadb://ann:a%2Fb%40c@db.example:3307/shop", "ann", "a/b@c", "tcp", "db.example:3307"},
		{"mysql://root@localhost", "root", "", "tcp", "localhost:3306"},
		{"mysql://root@[::1]/", "root", "", "tcp", "[::1]:3306"},
		{"mysql://root@localhost/?socket=/run/mysqld/mysqld.sock", "root", "", "unix", "/run/mysqld/mysqld.sock"},
		{"mysql:///?socket=%2Ftmp%2Fs", "", "", "unix", "/tmp/s"},
	} {
		c, err := Parse(test.url)
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		if c.User != test.user || c.Passwd != test.password || c.Net != test.net || c.Addr != test.addr || c.DBName != "" {
			t.Errorf("%s: %s:%s at %s %s, database %q", test.url, c.User, c.Passwd, c.Net, c.Addr, c.DBName)
		}
	}
}

func TestParseEncrypts(t *testing.T) {
	for mode, want := range map[string]string{"tls=true": "checked", "ssl-mode=VERIFY_IDENTITY": "checked", "tls=skip-verify": "unchecked",
		"ssl-mode=REQUIRED": "unchecked", "tls=preferred": "unchecked, or plain", "tls=false": "plain", "ssl-mode=DISABLED": "plain"} {
		c, err := Parse("mysql://root@db.example/?" + mode)
		if err != nil {
			t.Errorf("%s: %v", mode, err)
			continue
		}
		have := "plain"
		if c.TLS != nil {
			have = "unchecked"
			if !c.TLS.InsecureSkipVerify && c.TLS.ServerName == "db.example" {
				have = "checked"
			}
			if c.AllowFallbackToPlaintext {
				have += ", or plain"
			}
		}
		if have != want {
			t.Errorf("%s: the connection is %s, and should be %s", mode, have, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, url := range []string{"", "root:secret@tcp(127.0.0.1)/", "postgres://u:secret@h/", "mysql:u:secret@h", "mysql://u:sec%ret@h/", "mysql://u:a/secret@h/",
		"mysql://u:secret@h/?charset=utf8", "mysql://u:secret@h/?tls=perhaps", "mysql://u:secret@h/?a=%zz"} {
		c, err := Parse(url)
		if err == nil {
			t.Errorf("%s is taken: %s at %s", url, c.User, c.Addr)
		} else if strings.Contains(err.Error(), "sec") {
			t.Errorf("%s: the error has the password: %v", url, err)
		}
	}
}
