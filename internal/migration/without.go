package migration

// Without says how a migration is told to run without a transaction, as a clause; empty where the tool has no such word, or none that is
// known here.
func (d *Directory) Without() string {
	switch d.Tool {
	case "goose":
		return "write `-- +goose NO TRANSACTION` at its top"
	case "dbmate":
		return "write `-- migrate:up transaction:false`"
	case "sqlx":
		return "write `-- no-transaction` as its first line"
	case "diesel":
		return "write `run_in_transaction = false` in a metadata.toml beside it"
	case "sql-migrate":
		return "write `-- +migrate Up notransaction`"
	case "flyway":
		return "write `executeInTransaction=false` in a .conf file beside it"
	case "liquibase":
		return "write `runInTransaction:false` behind its changeset"
	case "atlas":
		return "write `-- atlas:txmode none` at its top"
	case "pop":
		return "put `.autocommit` before `.up.sql` in its name"
	}
	return ""
}
