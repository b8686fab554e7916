package migration

import "slices"

// tool is what is known of one tool.
type tool struct {
	name       string
	ledger     []string
	outOfOrder OutOfOrder
	checksums  bool
	together   bool
	detects    bool
	read       func(*reader)
}

// tools lists what exists. Each reader's comment says where its rules are from.
func tools() []tool {
	return []tool{
		{name: "atlas", ledger: []string{"atlas_schema_revisions.atlas_schema_revisions", "atlas_schema_revisions"}, outOfOrder: Refuses, checksums: true, read: (*reader).atlas},
		{name: "dbmate", ledger: []string{"schema_migrations"}, outOfOrder: Runs, read: (*reader).dbmate},
		{name: "diesel", ledger: []string{"__diesel_schema_migrations"}, outOfOrder: Runs, read: (*reader).diesel},
		{name: "drizzle", ledger: []string{"__drizzle_migrations", "drizzle.__drizzle_migrations"}, outOfOrder: Skips, together: true, read: (*reader).drizzle},
		{name: "flyway", ledger: []string{"flyway_schema_history", "schema_version", "refinery_schema_history"}, outOfOrder: Refuses, checksums: true, detects: true, read: (*reader).flyway},
		{name: "golang-migrate", ledger: []string{"schema_migrations"}, outOfOrder: Skips, read: (*reader).golangMigrate},
		{name: "goose", ledger: []string{"goose_db_version"}, outOfOrder: Refuses, read: (*reader).goose},
		{name: "liquibase", ledger: []string{"databasechangelog", "databasechangeloglock", "DATABASECHANGELOG", "DATABASECHANGELOGLOCK"}, outOfOrder: Runs, checksums: true, read: (*reader).liquibase},
		{name: "node-pg-migrate", ledger: []string{"pgmigrations"}, outOfOrder: Refuses, together: true, read: (*reader).nodePgMigrate},
		{name: "plain", ledger: []string{"schema_migrations", "_sqlx_migrations", "schema_version", "supabase_migrations.schema_migrations"}, outOfOrder: Unknown, read: (*reader).plain},
		{name: "pop", ledger: []string{"schema_migration"}, outOfOrder: Runs, read: (*reader).pop},
		{name: "prisma", ledger: []string{"_prisma_migrations"}, outOfOrder: Runs, checksums: true, read: (*reader).prisma},
		{name: "rails", ledger: []string{"schema_migrations", "ar_internal_metadata"}, outOfOrder: Runs, read: (*reader).rails},
		{name: "sql-migrate", ledger: []string{"gorp_migrations"}, outOfOrder: Runs, read: (*reader).sqlMigrate},
		{name: "sqlx", ledger: []string{"_sqlx_migrations"}, outOfOrder: Runs, checksums: true, read: (*reader).sqlx},
		{name: "supabase", ledger: []string{"supabase_migrations.schema_migrations", "supabase_migrations.seed_files"}, outOfOrder: Refuses, read: (*reader).supabase},
	}
}

// Tools lists the words by which a configuration names a tool, sorted.
func Tools() []string {
	var names []string
	for _, t := range tools() {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}

func findTool(name string) (tool, bool) {
	for _, t := range tools() {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}
