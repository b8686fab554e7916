package bot_test

import (
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
)

const migrationsConfig = "schemas:\n  - {name: shop, dialect: sqlite, migrations: db/migrations}\n"

// migrated is a base with two migrations.
func migrated() bottest.Files {
	return bottest.Files{
		".github/altergate.yml":            migrationsConfig,
		"db/migrations/001_users.up.sql":   "CREATE TABLE users (id INTEGER PRIMARY KEY, nick TEXT, note TEXT);\n",
		"db/migrations/001_users.down.sql": "DROP TABLE users;\n",
		"db/migrations/002_email.up.sql":   "ALTER TABLE users ADD COLUMN email TEXT;\n",
		"db/migrations/002_email.down.sql": "ALTER TABLE users DROP COLUMN email;\n",
	}
}

const newMigration = "db/migrations/003_drop.up.sql"

// A pull request of migrations goes from red to green by an approval of exactly its SQL, with a clone and through the API.
func TestMigrationsAreApproved(t *testing.T) {
	for name, trees := range map[string]bot.TreeSource{"a clone": bot.TreesGit, "the API": bot.TreesAPI} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openOn(t, bottest.NewScene(t, migrated(), bottest.Files{newMigration: "ALTER TABLE users DROP COLUMN nick;\n"}))
			p.trees = trees
			answer := p.pushed()
			p.wants(answer, policy.Blocked, "pending", "failure")
			p.commentSays("drop column `users.nick`", newMigration+":1:1", "**Net change:**")
			answer = p.says("ann", "/approve destructive %s", answer.Verdict.Digest)
			p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")

			p.Push(bottest.Files{newMigration: "ALTER TABLE users DROP COLUMN nick;\nDELETE FROM users;\n"})
			p.wants(p.pushed(), policy.Blocked, "pending", "failure")
		})
	}
}

// Whatever in migrations is approved, another text of it is not.
func TestAnotherTextOfMigrationsIsNotApproved(t *testing.T) {
	const merged = "db/migrations/002_email.up.sql"
	const edited = "ALTER TABLE users ADD COLUMN email TEXT;\nUPDATE users SET email = 'a';\n"
	for name, heads := range map[string][2]bottest.Files{
		"a merged one that is edited again": {{merged: edited}, {merged: edited + "UPDATE users SET note = 'b';\n"}},
		"statements in another order": {
			{newMigration: "CREATE TABLE kept (id INTEGER PRIMARY KEY, nick TEXT);\nINSERT INTO kept SELECT id, nick FROM users;\nDELETE FROM users;\n"},
			{newMigration: "CREATE TABLE kept (id INTEGER PRIMARY KEY, nick TEXT);\nDELETE FROM users;\nINSERT INTO kept SELECT id, nick FROM users;\n"}},
		"what follows one that cannot run": {
			{merged: "SELECT 1;\n", "db/migrations/001_users.up.sql": "CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT, nick TEXT, note TEXT, age TEXT);\n", newMigration: "ALTER TABLE users DROP COLUMN age;\n"},
			{merged: "SELECT 1;\n", "db/migrations/001_users.up.sql": "CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT, nick TEXT, note TEXT, age TEXT);\n", newMigration: "ALTER TABLE users DROP COLUMN age;\nDELETE FROM users;\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openOn(t, bottest.NewScene(t, migrated(), heads[0]))
			answer := p.pushed()
			p.wants(answer, policy.Blocked, "pending", "failure")
			answer = p.says("ann", "/approve destructive %s", answer.Verdict.Digest)
			p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
			p.Push(heads[1])
			p.wants(p.pushed(), policy.Blocked, "pending", "failure")
		})
	}
}

// An approval stays when what needed none changes.
func TestAnApprovalOfMigrationsStays(t *testing.T) {
	p := openOn(t, bottest.NewScene(t, migrated(), bottest.Files{newMigration: "ALTER TABLE users DROP COLUMN nick;\n"}))
	p.wants(p.says("ann", "/approve destructive %s", p.pushed().Verdict.Digest), policy.Passed, "pending", "failure", "pending", "success")
	p.Push(bottest.Files{newMigration: "-- nobody has one\nCREATE TABLE logs (id INTEGER PRIMARY KEY);\nALTER TABLE users DROP COLUMN nick;\n"})
	p.wants(p.pushed(), policy.Passed, "pending", "success")
}
