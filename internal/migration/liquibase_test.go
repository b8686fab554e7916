package migration_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/migration"
)

const formatted = `--liquibase formatted sql

--changeset ann:1
--comment: first
a;
--rollback z1;
--rollback z2;

-- changeset ann:2 runOnChange:true runInTransaction:false
b;
/* liquibase rollback
y;
*/

--changeset "bob smith":"3 x" dbms:mysql,h2
c;
--changeset bob:4 dbms:!oracle context:"test or dev"
d;
--rollback empty
`

func TestReadLiquibase(t *testing.T) {
	for _, r := range []reading{
		{name: "changesets", files: []string{"b.sql", "--liquibase formatted sql logicalFilePath:x/b.sql\n--changeset ann:9\nz;\n", "a.sql", formatted}, want: `
liquibase
1::ann::m/a.sql m/a.sql up=a; down=z1;z2; tx
2::ann::m/a.sql m/a.sql up=b; down=y; repeatable
4::bob::m/a.sql m/a.sql up=d; down= tx
9::ann::x/b.sql m/b.sql up=z; tx
# m/a.sql:15:1: the changeset bob smith:3 x is not read: it is for mysql,h2
# m/a.sql:17:1: the changeset bob:4 has context test or dev: it is read as if it ran`},
		{name: "attributes", files: []string{"a.sql", `--liquibase formatted sql
--changeset a:1 ignore:true
a;
--changeset a:2 runAlways:true
b;
--changeset a:3 labels:x
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT 1
c;
--ignoreLines:start
no;
--changeset a:no
--ignoreLines:end
--ignoreLines:2
no;
no;
--rollback changesetId:1 changesetAuthor:a
--changeset a:4 endDelimiter:/
CREATE FUNCTION d() x; y;
/
e
/
--changeset a:5 splitStatements:false
f; g;
`}, want: `
liquibase
2::a::m/a.sql m/a.sql up=b; tx repeatable
3::a::m/a.sql m/a.sql up=c; down= tx
4::a::m/a.sql m/a.sql up=CREATE FUNCTION d()x;y;e tx
5::a::m/a.sql m/a.sql up=f;g; tx
# m/a.sql:2:1: the changeset a:1 is not read: it says ignore:true
# m/a.sql:4:1: the changeset a:2 runs at every update
# m/a.sql:6:1: the changeset a:3 has labels x: it is read as if it ran
# m/a.sql:6:1: the changeset a:3 has a precondition under which it does not run: it is read as if it ran`},
		{name: "no author", files: []string{"a.sql", "--liquibase formatted sql\n--changeset one\na;"}, wantErr: "m/a.sql:2:1: --changeset one is no changeset: Liquibase wants --changeset author:id"},
		{name: "ignoring what", files: []string{"a.sql", "--liquibase formatted sql\n--changeset a:1\n--ignoreLines:some\na;"}, wantErr: "m/a.sql:3:1: --ignoreLines:some is not understood"},
		{name: "too much", files: []string{"a.sql", "--liquibase formatted sql\n" + strings.Repeat("--changeset a:1\n"+strings.Repeat(" ", 1000), 1000)}, wantErr: "the file holds too many changesets for its size"},
		{name: "before", files: []string{"a.sql", "--liquibase formatted sql\na;\n--changeset a:1\nb;"}, wantErr: "m/a.sql:2:1: a statement before the first marker of liquibase"},
		{name: "property", files: []string{"a.sql", "--liquibase formatted sql\n--property name:x value:y\n--changeset a:1\nCREATE TABLE ${x} ();"}, wantErr: "m/a.sql:4:14: holds a template (${x})"},
		{name: "none", files: []string{"a.sql", "--liquibase formatted sql\n"}, wantErr: "holds no migration that liquibase would run (m/a.sql: holds no changeset)"},
	} {
		r.run(t)
	}
}

func TestReadChangelog(t *testing.T) {
	sql := func(id string) string { return "--liquibase formatted sql\n--changeset a:" + id + "\n" + id + ";\n" }
	yaml := `databaseChangeLog:
  - include:
      file: changes/z.sql
      relativeToChangelogFile: true
  - includeAll:
      path: classpath:db/m/more
  - changeSet:
      id: 9
      author: ann
      changes: []
`
	files := []string{"changes/z.sql", sql("z"), "changes/never.sql", sql("n"), "/db/m/more/y.sql", sql("y"), "/db/m/more/x.sql", "x;"}
	for _, r := range []reading{
		{name: "yaml", files: append([]string{"changelog.yaml", yaml}, files...), want: `
liquibase
z::a::m/changes/z.sql m/changes/z.sql up=z; tx
raw::includeAll::db/m/more/x.sql db/m/more/x.sql up=x; tx
y::a::db/m/more/y.sql db/m/more/y.sql up=y; tx
9::ann::m/changelog.yaml m/changelog.yaml YAML
# m/changes/never.sql: is never run: m/changelog.yaml does not include it`},
		{name: "xml beside", files: []string{"/db.changelog-master.xml", `<?xml version="1.0"?><databaseChangeLog><!-- c --><include file="m/b.sql"/><include file="m/inner.json"/></databaseChangeLog>`,
			"inner.json", `{"databaseChangeLog":[{"include":{"file":"m/a.sql"}}]}`, "a.sql", sql("a"), "b.sql", sql("b")}, want: `
liquibase
a::a::m/a.sql m/a.sql up=a; tx
# m/b.sql: is never run: m/inner.json does not include it`},
		{name: "master above", files: []string{"/changelog-master.xml", `<databaseChangeLog><include file="b.sql" relativeToChangelogFile="false"/><include file="m/a.sql"/></databaseChangeLog>`,
			"a.sql", sql("a"), "b.sql", sql("b")}, wantErr: "changelog-master.xml:1:35: includes b.sql, which is not found"},
		{name: "not there", files: []string{"changelog.xml", `<databaseChangeLog><include file="c.sql"/></databaseChangeLog>`, "a.sql", sql("a")}, wantErr: "m/changelog.xml:1:35: includes c.sql, which is not found"},
		{name: "filter", files: []string{"changelog.xml", `<databaseChangeLog><includeAll path="x" filter="y"/></databaseChangeLog>`, "x/a.sql", sql("a")}, wantErr: "m/changelog.xml:1:41: includeAll with filter is not understood"},
		{name: "broken", files: []string{"changelog.xml", `<databaseChangeLog><include`, "x/a.sql", sql("a")}, wantErr: "m/changelog.xml:1:1: cannot be read as a changelog"},
		{name: "two", files: []string{"one.xml", `<databaseChangeLog/>`, "two.xml", `<databaseChangeLog/>`, "a.sql", sql("a")}, wantErr: "m: has several changelogs that no other one includes: m/one.xml, m/two.xml"},
		{name: "a circle", o: migration.Options{Tool: "liquibase"}, files: []string{"one.xml", `<databaseChangeLog><include file="m/master.xml"/><include file="m/a.sql"/></databaseChangeLog>`, "master.xml", `<databaseChangeLog><include file="m/one.xml"/></databaseChangeLog>`, "a.sql", sql("a")}, want: `
liquibase
a::a::m/a.sql m/a.sql up=a; tx`},
	} {
		r.run(t)
	}
}
