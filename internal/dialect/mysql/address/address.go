// Package address reads the URL of a MySQL or MariaDB server: mysql://user:password@host:3306/, where mariadb:// means the same. It
// opens nothing. No error of its has the password in it.
package address

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sort"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// connectTimeout bounds how long a server may take to answer at all.
const connectTimeout = 10 * time.Second

// Parse gives what the driver needs to connect to the server at a URL. What may stand behind the question mark is socket, the path of
// the server's socket on this machine, and tls (true, false, skip-verify, preferred) or MySQL's own ssl-mode. A database that is named
// is not chosen: ours have names of their own.
func Parse(address string) (*mysql.Config, error) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Scheme != "mysql" && u.Scheme != "mariadb" {
		return nil, errors.New("it is no URL of a MySQL or MariaDB server; it is written like mysql://user@host:3306/") // url.Parse would repeat it, password and all
	}
	if strings.Contains(u.Path, "@") {
		return nil, errors.New("it has an @ behind its first slash: a slash in a password is written as %2F")
	}
	c := mysql.NewConfig()
	c.User = u.User.Username()
	c.Passwd, _ = u.User.Password()
	c.Net, c.Addr = "tcp", at(u)
	c.Timeout = connectTimeout
	c.Logger = &mysql.NopLogger{}
	options, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errors.New("what stands behind its question mark cannot be read")
	}
	if err := with(c, u.Hostname(), options); err != nil {
		return nil, err
	}
	return c, nil
}

// at gives host and port, with the server's own where there are none.
func at(u *url.URL) string {
	host, port := u.Hostname(), u.Port()
	if host == "" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = "3306"
	}
	return net.JoinHostPort(host, port)
}

// with takes the options into account.
func with(c *mysql.Config, host string, options url.Values) error {
	var names []string
	for name := range options {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		value := options.Get(name)
		switch name {
		case "socket":
			c.Net, c.Addr = "unix", value
		case "tls", "ssl-mode", "sslmode":
			if err := encrypt(c, host, strings.ToLower(value)); err != nil {
				return err
			}
		default:
			return fmt.Errorf("it has %q behind its question mark; socket, tls and ssl-mode are what may stand there", name)
		}
	}
	return nil
}

// encrypt sets whether the connection is encrypted, and whether the server's certificate is looked at.
func encrypt(c *mysql.Config, host, mode string) error {
	switch mode {
	case "", "false", "disabled":
	case "preferred":
		c.AllowFallbackToPlaintext = true
		c.TLS = &tls.Config{InsecureSkipVerify: true}
	case "skip-verify", "required":
		c.TLS = &tls.Config{InsecureSkipVerify: true}
	case "true", "verify_identity", "verify-identity":
		c.TLS = &tls.Config{ServerName: host}
	default:
		return fmt.Errorf("its tls is %q; it is one of true, false, skip-verify and preferred", mode)
	}
	return nil
}
