package scratch

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/altergate/altergate/internal/proof"
)

const (
	// connectTimeout holds where the URL names none.
	connectTimeout = 10 * time.Second
	// cleanupTimeout is what dropping a database may take when the review itself is out of time.
	cleanupTimeout = 20 * time.Second
	// mostBytes is what is taken of one row: a schema can say that a value is as long as the server allows, which is a gigabyte.
	mostBytes = 64 << 20
	// oldest is the first version that drops a database under its sessions.
	oldest = 130000
)

// session makes every session alike, whatever the server, the role or the URL says, so that values compare as text. Bodies of
// functions are not looked at, since what they name may come later.
const session = `SET statement_timeout = '60s'; SET lock_timeout = '20s'; SET idle_in_transaction_session_timeout = '120s';
SET search_path = public; SET check_function_bodies = off; SET client_min_messages = error; SET synchronous_commit = off; SET jit = off;
SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex';
SET standard_conforming_strings = on; SET escape_string_warning = off; SET xmloption = 'content'; SET default_tablespace = '';
SET quote_all_identifiers = off; SET default_transaction_isolation = 'read committed'`

// null stands for NULL among values: PostgreSQL's own texts cannot hold the byte 0.
const null = "\x00"

// server is the scratch server. The database that the URL names is used for making and dropping others, and for nothing else.
type server struct {
	config  *pgconn.Config
	version string // "15.20"
	number  int    // 150020
	super   bool
	roles   map[string]bool // whether the session's role may act for it
}

// database is one that was made for this run.
type database struct {
	server *server
	name   string
	admin  *pgconn.PgConn // in the URL's database
	conn   *pgconn.PgConn
}

// connect opens the server and tells whether it can be used.
func connect(ctx context.Context, url string) (*server, error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return nil, &proof.Unavailable{Err: err}
	}
	if config.ConnectTimeout == 0 || config.ConnectTimeout == 2*time.Minute { // the driver's own default
		config.ConnectTimeout = connectTimeout
	}
	config.MaxProtocolMessageBodyLen = mostBytes
	s := &server{config: config}
	conn, err := s.open(ctx, config.Database)
	if err != nil {
		return nil, err
	}
	defer hangUp(ctx, conn)
	if err := s.ask(ctx, conn); err != nil {
		return nil, err
	}
	return s, nil
}

// open starts a session.
func (s *server) open(ctx context.Context, name string) (*pgconn.PgConn, error) {
	config := s.config.Copy()
	config.Database = name
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &proof.Unavailable{Err: fmt.Errorf("it cannot be reached: %w", err)}
	}
	if _, err := run(ctx, conn, session); err != nil {
		hangUp(ctx, conn)
		return nil, unavailable(ctx, err)
	}
	return conn, nil
}

// ask reads what the server is and what its role may do.
func (s *server) ask(ctx context.Context, conn *pgconn.PgConn) error {
	rows, err := query(ctx, conn, `SELECT current_setting('server_version'), current_setting('server_version_num'), rolsuper, rolcreatedb, rolname
		FROM pg_catalog.pg_roles WHERE rolname = current_user`)
	if err != nil {
		return unavailable(ctx, err)
	}
	if len(rows) != 1 {
		return &proof.Unavailable{Err: errors.New("it does not say who it takes us for")}
	}
	r := rows[0]
	s.version, _, _ = strings.Cut(r[0], " ")
	s.number, _ = strconv.Atoi(r[1])
	s.super = r[2] == "t"
	if s.number < oldest {
		return &proof.Unavailable{Err: fmt.Errorf("it is PostgreSQL %s, and 13 or newer is needed", s.version)}
	}
	if !s.super && r[3] != "t" {
		return &proof.Unavailable{Err: fmt.Errorf("the role %s may not create databases (ALTER ROLE … CREATEDB)", r[4])}
	}
	s.roles = map[string]bool{}
	rows, err = query(ctx, conn, `SELECT rolname, pg_catalog.pg_has_role(current_user, oid, 'MEMBER') FROM pg_catalog.pg_roles`)
	if err != nil {
		return unavailable(ctx, err)
	}
	for _, r := range rows {
		s.roles[r[0]] = r[1] == "t"
	}
	return nil
}

// create makes empty databases, all at the same time. The statement is not stopped with ctx: a server that has been told to make a
// database makes it, and one that nobody waits for would be there for good.
func (s *server) create(ctx context.Context, n int) ([]*database, error) {
	all, errs := make([]*database, n), make([]error, n)
	var wait sync.WaitGroup
	for i := range all {
		wait.Go(func() { all[i], errs[i] = s.createOne(ctx) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		drop(ctx, all)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return all, nil
}

// namePrefix begins the names of all databases that this process makes: who finds one on a server can tell whose it is.
func namePrefix() string {
	return fmt.Sprintf("altergate_%d_", os.Getpid())
}

func (s *server) createOne(ctx context.Context) (*database, error) {
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, fmt.Errorf("naming a scratch database: %w", err)
	}
	d := &database{server: s, name: namePrefix() + hex.EncodeToString(random[:])}
	var err error
	if d.admin, err = s.open(ctx, s.config.Database); err != nil {
		return nil, err
	}
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*cleanupTimeout)
	defer cancel()
	if _, err := run(patient, d.admin, "CREATE DATABASE "+d.name+" TEMPLATE template0 ENCODING 'UTF8'"); err != nil {
		d.drop(ctx)
		return nil, &proof.Unavailable{Err: fmt.Errorf("making a database: %w", err)}
	}
	if d.conn, err = s.open(ctx, d.name); err != nil {
		d.drop(ctx)
		return nil, err
	}
	return d, nil
}

// drop removes databases, all at the same time: the server writes everything down for each, or once for all.
func drop(ctx context.Context, all []*database) {
	var wait sync.WaitGroup
	for _, d := range all {
		if d != nil {
			wait.Go(func() { d.drop(ctx) })
		}
	}
	wait.Wait()
}

// drop removes the database, whatever has become of ctx and of the sessions.
func (d *database) drop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	if d.conn != nil {
		hangUp(ctx, d.conn)
	}
	defer hangUp(ctx, d.admin)
	statement := "DROP DATABASE IF EXISTS " + d.name + " WITH (FORCE)"
	if _, err := run(ctx, d.admin, statement); err == nil {
		return
	}
	if conn, err := d.server.open(ctx, d.server.config.Database); err == nil {
		defer hangUp(ctx, conn)
		run(ctx, conn, statement) // there is nobody left to tell, and nothing left to try
	}
}

func hangUp(ctx context.Context, conn *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn.Close(ctx) // it is closed either way
}

// run runs statements, in one message: unless they say otherwise they are one transaction.
func run(ctx context.Context, conn *pgconn.PgConn, sql string) ([]*pgconn.Result, error) {
	results, err := conn.Exec(ctx, sql).ReadAll()
	if err == nil {
		for _, r := range results {
			err = errors.Join(err, r.Err)
		}
	}
	if err == nil {
		return results, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, err
}

// query gives the rows of the last of some statements.
func query(ctx context.Context, conn *pgconn.PgConn, sql string) ([][]string, error) {
	results, err := run(ctx, conn, sql)
	if err != nil || len(results) == 0 {
		return nil, err
	}
	return texts(results[len(results)-1]), nil
}

// texts gives the values of a result.
func texts(result *pgconn.Result) [][]string {
	rows := make([][]string, len(result.Rows))
	for i, r := range result.Rows {
		rows[i] = make([]string, len(r))
		for j, v := range r {
			if v == nil {
				rows[i][j] = null
			} else {
				rows[i][j] = string(v)
			}
		}
	}
	return rows
}

// exec runs statements in the database. An error is the server's answer (*pgconn.PgError), the end of ctx, or *proof.Unavailable.
func (d *database) exec(ctx context.Context, sql string) error {
	_, err := d.results(ctx, sql)
	return err
}

// query gives the rows of the last of some statements, with errors as exec has them.
func (d *database) query(ctx context.Context, sql string) ([][]string, error) {
	results, err := d.results(ctx, sql)
	if err != nil || len(results) == 0 {
		return nil, err
	}
	return texts(results[len(results)-1]), nil
}

func (d *database) results(ctx context.Context, sql string) ([]*pgconn.Result, error) {
	results, err := run(ctx, d.conn, sql)
	if err == nil {
		return results, nil
	}
	if answer := answerOf(err); answer != nil && !d.conn.IsClosed() {
		return nil, answer
	}
	return nil, unavailable(ctx, err)
}

// answerOf gives what the server says in an error, or nil.
func answerOf(err error) *pgconn.PgError {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer
	}
	return nil
}

func unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &proof.Unavailable{Err: err}
}
