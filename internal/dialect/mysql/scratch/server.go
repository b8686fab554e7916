package scratch

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/altergate/altergate/internal/dialect/mysql/address"
	flavours "github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/proof"
)

const (
	// cleanupTimeout is what dropping databases may take when the review itself is out of time.
	cleanupTimeout = 20 * time.Second
	// mostTime is what one statement may take, in seconds.
	mostTime = 60
)

// The oldest servers that prove: older ones take ALTERs and CHECKs without a word that these refuse.
var oldestMySQL, oldestMariaDB = flavours.Server{Major: 5, Minor: 7}, flavours.Server{MariaDB: true, Major: 10, Minor: 5}

// server is the scratch server.
type server struct {
	pool       *sql.DB
	is         flavours.Server
	version    string // "10.11.6"
	foldsNames bool   // names of databases and tables do not count by case
	schedules  bool   // events are run as soon as they are there
	others     map[string]bool
	collations map[string]bool
	standard   map[string]string // what a new session has, by variable
	prefix     string            // of the databases of this proof
	user       string            // whom it takes us for
}

// connect opens the server and tells whether it can be used.
func connect(ctx context.Context, url string) (*server, error) {
	config, err := address.Parse(url)
	if err != nil {
		return nil, &proof.Unavailable{Err: err}
	}
	config.Params = map[string]string{}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, &proof.Unavailable{Err: err}
	}
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, fmt.Errorf("naming scratch databases: %w", err)
	}
	s := &server{pool: sql.OpenDB(connector), prefix: namePrefix() + hex.EncodeToString(random[:]) + "_"}
	if err := s.ask(ctx); err != nil {
		_ = s.pool.Close()
		return nil, err
	}
	return s, nil
}

// namePrefix begins the names of all databases that this process makes: who finds one on a server can tell whose it is.
func namePrefix() string { return fmt.Sprintf("altergate_%d_", os.Getpid()) }

// ask reads what the server is.
func (s *server) ask(ctx context.Context) error {
	conn, err := s.pool.Conn(ctx)
	if err != nil {
		return unavailable(ctx, fmt.Errorf("it cannot be reached: %w", err))
	}
	defer conn.Close()
	q := session{conn: conn}
	rows, err := q.query(ctx, "SELECT VERSION(), @@lower_case_table_names, @@event_scheduler, CURRENT_USER()")
	if err != nil {
		return unavailable(ctx, err)
	}
	r := rows[0]
	s.version, _, _ = strings.Cut(r[0].String, "-")
	s.is.MariaDB = strings.Contains(r[0].String, "MariaDB")
	if _, err := fmt.Sscanf(s.version, "%d.%d.%d", &s.is.Major, &s.is.Minor, &s.is.Patch); err != nil {
		return &proof.Unavailable{Err: fmt.Errorf("it says that its version is %s", proof.Excerpt(r[0].String))}
	}
	if oldest := oldestMySQL; !s.is.MySQL(oldest.Major, oldest.Minor, 0) && !s.is.Maria(oldestMariaDB.Major, oldestMariaDB.Minor, 0) {
		return &proof.Unavailable{Err: fmt.Errorf("it is %s, and MySQL %d.%d or MariaDB %d.%d is needed at least", s.is, oldest.Major, oldest.Minor, oldestMariaDB.Major, oldestMariaDB.Minor)}
	}
	s.foldsNames, s.schedules = r[1].String != "0", strings.EqualFold(r[2].String, "ON")
	s.user = r[3].String
	if s.others, err = q.set(ctx, "SELECT schema_name FROM information_schema.schemata WHERE schema_name <> 'information_schema'", s.fold); err != nil {
		return unavailable(ctx, err)
	}
	if s.collations, err = q.set(ctx, "SELECT collation_name FROM information_schema.collations UNION SELECT character_set_name FROM information_schema.character_sets"+s.moreCollations(), strings.ToLower); err != nil {
		return unavailable(ctx, err)
	}
	return s.defaults(ctx, q)
}

// moreCollations names those that MariaDB prints with their character set in front, since 10.10.
func (s *server) moreCollations() string {
	if !s.is.Maria(10, 10, 0) {
		return ""
	}
	return " UNION SELECT full_collation_name FROM information_schema.collation_character_set_applicability"
}

// defaults remembers what a SET may have to bring back.
func (s *server) defaults(ctx context.Context, q session) error {
	mode := "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
	if !s.is.MariaDB {
		mode = "ONLY_FULL_GROUP_BY,NO_ZERO_IN_DATE,NO_ZERO_DATE," + mode
	}
	s.standard = map[string]string{"sql_mode": mode, "foreign_key_checks": "1", "unique_checks": "1"}
	for _, name := range []string{"default_storage_engine", "character_set_server", "collation_server"} {
		rows, err := q.query(ctx, "SELECT @@"+name)
		if err != nil {
			return unavailable(ctx, err)
		}
		s.standard[name] = rows[0][0].String
	}
	return nil
}

// fold gives the name of a database as names are compared.
func (s *server) fold(name string) string {
	if s.foldsNames {
		return strings.ToLower(name)
	}
	return name
}

// open starts a session.
func (s *server) open(ctx context.Context) (session, error) {
	conn, err := s.pool.Conn(ctx)
	if err != nil {
		return session{}, unavailable(ctx, fmt.Errorf("it cannot be reached: %w", err))
	}
	q := session{conn: conn}
	if err := s.begin(ctx, q); err != nil {
		_ = conn.Close()
		return session{}, unavailable(ctx, err)
	}
	return q, nil
}

// begin makes every session alike, whatever the server says, so that values compare as text.
func (s *server) begin(ctx context.Context, q session) error {
	settings := []string{"SET NAMES utf8mb4", "SET SESSION sql_mode = " + literal(s.standard["sql_mode"]), "SET SESSION time_zone = '+00:00'", "SET SESSION lock_wait_timeout = 20, SESSION innodb_lock_wait_timeout = 20",
		"SET SESSION foreign_key_checks = 1, SESSION unique_checks = 1", "SET SESSION default_storage_engine = " + s.standard["default_storage_engine"],
		"SET SESSION character_set_server = " + s.standard["character_set_server"], "SET SESSION collation_server = " + s.standard["collation_server"]}
	if s.is.MariaDB {
		settings = append(settings, fmt.Sprintf("SET SESSION max_statement_time = %d", mostTime))
	} else {
		settings = append(settings, fmt.Sprintf("SET SESSION max_execution_time = %d", mostTime*1000))
	}
	if s.is.MySQL(8, 0, 0) {
		settings = append(settings, "SET SESSION information_schema_stats_expiry = 0")
	}
	for _, set := range settings {
		if err := q.exec(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

// drop removes all databases of this proof, whatever has become of ctx and of the sessions.
func (s *server) drop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	defer s.pool.Close()
	conn, err := s.pool.Conn(ctx)
	if err != nil {
		return // there is nobody left to tell, and nothing left to try
	}
	defer conn.Close()
	q := session{conn: conn}
	s.hangUp(ctx, q)
	rows, err := q.query(ctx, "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE "+literal(strings.ReplaceAll(s.prefix, "_", `\_`)+"%"))
	if err != nil {
		return
	}
	_ = q.exec(ctx, "SET SESSION foreign_key_checks = 0")
	for _, r := range rows {
		_ = q.exec(ctx, "DROP DATABASE IF EXISTS "+quote(r[0].String))
	}
}

// hangUp ends sessions that still run something in a database of ours, when the review was stopped and they were not: a statement
// holds its table.
func (s *server) hangUp(ctx context.Context, q session) {
	rows, err := q.query(ctx, "SELECT id FROM information_schema.processlist WHERE db LIKE "+literal(strings.ReplaceAll(s.prefix, "_", `\_`)+"%")+" AND id <> CONNECTION_ID()")
	if err != nil {
		return
	}
	for _, r := range rows {
		_ = q.exec(ctx, "KILL "+r[0].String)
	}
}

// session is one session on the server.
type session struct{ conn *sql.Conn }

// value is a value as text; NULL is not valid.
type value = sql.NullString

// exec runs one statement. An error is the server's answer (*mysql.MySQLError), the end of ctx, or *proof.Unavailable.
func (q session) exec(ctx context.Context, statement string) error {
	_, err := q.conn.ExecContext(ctx, statement)
	return failure(ctx, err)
}

// query gives rows, with errors as exec has them.
func (q session) query(ctx context.Context, statement string) ([][]value, error) {
	rows, err := q.conn.QueryContext(ctx, statement)
	if err != nil {
		return nil, failure(ctx, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, failure(ctx, err)
	}
	var out [][]value
	for rows.Next() {
		r := make([]value, len(names))
		into := make([]any, len(names))
		for i := range r {
			into[i] = &r[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, failure(ctx, err)
		}
		out = append(out, r)
	}
	return out, failure(ctx, rows.Err())
}

// set gives the values of a column.
func (q session) set(ctx context.Context, statement string, as func(string) string) (map[string]bool, error) {
	rows, err := q.query(ctx, statement)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, r := range rows {
		out[as(r[0].String)] = true
	}
	return out, nil
}

// failure sorts errors; see exec.
func failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if answer := answerOf(err); answer != nil && ctx.Err() == nil {
		switch answer.Number {
		case 1053, 1927, 3169: // the server goes down, or somebody killed the session
			return &proof.Unavailable{Err: answer}
		}
		return answer
	}
	return unavailable(ctx, err)
}

// answerOf gives what the server says in an error, or nil.
func answerOf(err error) *mysql.MySQLError {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer
	}
	return nil
}

func unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if known := (*proof.Unavailable)(nil); errors.As(err, &known) {
		return known
	}
	return &proof.Unavailable{Err: err}
}
