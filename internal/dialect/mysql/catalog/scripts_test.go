package catalog_test

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"database/sql"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// onServer are scripts that MariaDB runs, and whose tables it prints as the catalog has them.
var onServer = []string{
	// types
	`CREATE TABLE t (a int(11), b integer, c bool, d boolean NOT NULL DEFAULT true, e dec(8,2), f numeric, g fixed(5,1), h double precision, i real, j float4, k float8, l int1, m int2, n int3, o int4, p int8, q middleint)`,
	`CREATE TABLE t (a char, b character(3), c varchar(9), d char varying(9), e character varying(9), f nchar, g nchar(3), h nvarchar(9), i national varchar(9), j national char(2), k long varchar, l long, m long varbinary, n char byte, o binary, p varbinary(3))`,
	`CREATE TABLE t (a text(100), b text(20), c text(70), d text(20000), e text(5000000), f blob(10), g blob(300), h blob(70000), i text(0), j mediumtext, k tinyblob)`,
	`CREATE TABLE t (a tinyint(1), b tinyint(1) unsigned, c tinyint(4), d int(5) zerofill, e int zerofill, f bigint(5) unsigned, g tinyint zerofill, h float unsigned zerofill, i decimal(5,1) unsigned, j smallint zerofill, k mediumint zerofill, l bigint zerofill)`,
	`CREATE TABLE t (a bit, b bit(9), c year, d year(4), e date, f time, g time(3), h datetime, i datetime(6), j timestamp NULL, k timestamp(2) NULL, l float(10), m float(30), n float(7,3), o double(8,2))`,
	`CREATE TABLE t (a enum('a','b '), b set('x','y'), c enum('a','b') CHARACTER SET latin1, d enum('it''s') COLLATE utf8mb4_bin, e json, f inet6, g inet4, h uuid, i geometry, j point, k linestring, l polygon, m geometrycollection, n multipoint)`,
	`CREATE TABLE t (a serial)`,
	`CREATE TABLE t (a bigint serial default value)`,
	`CREATE TABLE t (a json, b json DEFAULT '{}', c longtext COLLATE utf8mb4_bin CHECK (json_valid(c)), d json NOT NULL CHECK (json_length(d) > 1))`,
	// character sets
	`CREATE TABLE t (a varchar(9), b varchar(9) CHARACTER SET utf8mb4, c varchar(9) COLLATE utf8mb4_general_ci, d varchar(9) CHARACTER SET utf8, e varchar(9) COLLATE utf8_bin, f varchar(9) binary, g varchar(9) CHARACTER SET latin1 binary, h varchar(9) ascii, i text unicode) DEFAULT CHARSET=utf8mb3`,
	`CREATE TABLE t (a varchar(9), b char(3) CHARACTER SET binary, c text CHARACTER SET binary, d enum('a') CHARACTER SET latin1) COLLATE=latin1_german1_ci`,
	`CREATE TABLE t (a varchar(9), b text COLLATE latin1_bin) CHARSET latin1 COLLATE latin1_swedish_ci`,
	`CREATE TABLE t (a varchar(9) COLLATE uca1400_ai_ci, b varchar(9) COLLATE utf8mb4_uca1400_as_cs) COLLATE utf8mb4_uca1400_ai_ci`,
	`CREATE TABLE t (a varchar(9) CHARACTER SET cp1251 COLLATE cp1251_bin, b varchar(9) CHARACTER SET utf16, c char(3) CHARACTER SET sjis, d text COLLATE utf8mb4_unicode_520_ci)`,
	`ALTER DATABASE CHARACTER SET latin1; CREATE TABLE t (a varchar(9)); ALTER DATABASE COLLATE utf8mb4_bin; CREATE TABLE u (a varchar(9)); ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`,
	// defaults
	`CREATE TABLE t (a int DEFAULT '5', b int DEFAULT 5, c int DEFAULT -1, d int DEFAULT +1, e int DEFAULT 1.6, f int DEFAULT 0x41, g int DEFAULT true, h int DEFAULT '5 ', i int unsigned DEFAULT 007, j int DEFAULT (5), k int DEFAULT (-5), l bigint unsigned DEFAULT '18446744073709551615')`,
	`CREATE TABLE t (a decimal(6,2) DEFAULT 1.5, b decimal(6,2) DEFAULT '1.50', c decimal(4,1) DEFAULT '01.50', d decimal(5,2) DEFAULT 1.255, e float DEFAULT 1e3, f double DEFAULT 1.50, g float DEFAULT 0.1, h double DEFAULT 1e30, i decimal DEFAULT 0, j double DEFAULT '123456.789', k float(7,3) DEFAULT 1)`,
	`CREATE TABLE t (a varchar(9) DEFAULT 'x', b varchar(9) DEFAULT _utf8mb4'x', c varchar(9) DEFAULT 0x41, d varchar(9) DEFAULT 5, e varchar(9) DEFAULT true, f text DEFAULT 'it''s', g varchar(9) DEFAULT '', h char(3) DEFAULT 'a  ', i varchar(9) DEFAULT 1.50, j varchar(9) DEFAULT 010, k varchar(9) DEFAULT "q", l varchar(9) DEFAULT 'a\\b', m blob DEFAULT 'x', n varchar(9) DEFAULT 1e3)`,
	`CREATE TABLE t (a bit(4) DEFAULT 3, b bit DEFAULT b'0', c bit(8) DEFAULT 'a', d bit(4) DEFAULT 0x3, e bit(2) DEFAULT b'01', f bit DEFAULT 0)`,
	`CREATE TABLE t (a datetime DEFAULT '2020-01-01', b date DEFAULT '20200101', c time DEFAULT '1:2', d year DEFAULT 20, e year DEFAULT '99', f year DEFAULT 0, g year DEFAULT '0', h date DEFAULT '20-1-1', i datetime DEFAULT 20200101, j datetime DEFAULT '2020-01-01T10:11', k time DEFAULT '10', l time DEFAULT 101112, m timestamp(3) NULL DEFAULT '2020-01-01', n datetime DEFAULT '2020.01.02 1:2', o date DEFAULT date '2020-02-03', p datetime DEFAULT timestamp '2020-01-01 00:00:00', q timestamp DEFAULT 0)`,
	`CREATE TABLE t (a datetime DEFAULT now(), b timestamp DEFAULT current_timestamp, c timestamp(3) DEFAULT current_timestamp(3) ON UPDATE current_timestamp(3), d datetime DEFAULT localtime(), e datetime DEFAULT localtimestamp ON UPDATE now(), f datetime(2) DEFAULT now(), g datetime DEFAULT (now()), h timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP() ON UPDATE CURRENT_TIMESTAMP(), i date DEFAULT now(), j datetime ON UPDATE now())`,
	`CREATE TABLE t (a timestamp NOT NULL ON UPDATE now(), b datetime(3) NOT NULL ON UPDATE now(3), c datetime NOT NULL, d timestamp NOT NULL, e timestamp ON UPDATE now(), f datetime ON UPDATE now()); ALTER TABLE t MODIFY c datetime NOT NULL ON UPDATE now(), ADD g timestamp(2) NOT NULL ON UPDATE now(2)`,
	`SET explicit_defaults_for_timestamp = 0; CREATE TABLE t (a timestamp NOT NULL ON UPDATE now(), b timestamp NOT NULL ON UPDATE now(), c datetime(3) NOT NULL ON UPDATE now(3), d timestamp NOT NULL, e timestamp ON UPDATE now(), f timestamp(3) NOT NULL ON UPDATE now(3)); CREATE TABLE u (a int, b timestamp ON UPDATE now(), c timestamp); SET explicit_defaults_for_timestamp = 1`,
	`CREATE TABLE t (a enum('a','B') DEFAULT 'A', b enum('a','B') DEFAULT 'b', c set('a','b') DEFAULT 'b,a', d set('a','b') DEFAULT '', e enum('x') NOT NULL DEFAULT 'x')`,
	`CREATE TABLE t (a int DEFAULT NULL, b int NULL, c int NULL DEFAULT NULL, d int NOT NULL, e timestamp NULL, f varchar(9) NULL DEFAULT 'x', g timestamp, h timestamp NOT NULL)`,
	`CREATE TABLE t (a int DEFAULT (1+1), b varchar(9) DEFAULT (concat('a','b')), c varchar(36) DEFAULT uuid(), d date DEFAULT curdate(), e date DEFAULT (current_date), f int DEFAULT (abs(-1)), g int DEFAULT (a+1), h varchar(40) DEFAULT (user()), i float DEFAULT rand())`,
	// generated columns and attributes
	`CREATE TABLE t (a int, b int AS (a+1), c int GENERATED ALWAYS AS (a*2) STORED, d int AS (a) PERSISTENT COMMENT 'x', e int AS (b+c) VIRTUAL, f int AS (a) STORED UNIQUE, g int AS (a) INVISIBLE)`,
	`CREATE TABLE t (a int COMMENT 'it''s', b int INVISIBLE, c int NOT NULL DEFAULT 1 INVISIBLE, d text COMPRESSED, f int COMMENT '')`,
	// keys
	`CREATE TABLE t (a int PRIMARY KEY, b int UNIQUE, c int UNIQUE KEY, d int)`,
	`CREATE TABLE t (a int KEY, b int, c int, KEY (b), KEY (b,c), INDEX (c), INDEX x (c), UNIQUE (b), UNIQUE KEY (b), UNIQUE INDEX u (b), CONSTRAINT w UNIQUE (c), CONSTRAINT UNIQUE (c), CONSTRAINT v UNIQUE KEY w2 (c))`,
	`CREATE TABLE t (a int, b int, PRIMARY KEY (a,b))`, `CREATE TABLE t (a int, b int, CONSTRAINT pk PRIMARY KEY pk2 USING BTREE (b DESC) COMMENT 'x')`,
	`CREATE TABLE t (a int NULL, b int DEFAULT NULL, PRIMARY KEY (a))`,
	`CREATE TABLE t (a int AUTO_INCREMENT, b int, PRIMARY KEY (a)) AUTO_INCREMENT=7`,
	`CREATE TABLE t (a int AUTO_INCREMENT, b int, KEY (a), KEY (b,a))`,
	`CREATE TABLE t (a varchar(20), b char(5), KEY (a(20)), KEY (a(10)), KEY k (b(5), a(3) DESC), KEY (a ASC), UNIQUE KEY (b) USING HASH, KEY h USING HASH (b), KEY i (b) USING BTREE KEY_BLOCK_SIZE=4 COMMENT 'k')`,
	`CREATE TABLE t (a text, b blob, c varchar(1000), KEY (a), KEY (b), KEY (c), KEY (a(10)), UNIQUE (a), UNIQUE u (c), UNIQUE v (b(20)))`,
	`CREATE TABLE t (a text, b varchar(9), c point NOT NULL, FULLTEXT (a), FULLTEXT KEY f (a,b), FULLTEXT INDEX (b), SPATIAL KEY (c), SPATIAL INDEX s (c))`,
	`CREATE TABLE t (a int, KEY k (a) IGNORED, KEY (a), KEY a_5 (a), KEY (a), KEY (a) NOT IGNORED)`,
	"CREATE TABLE `t ``x` (`a b` int, `select` int, KEY `k``k` (`a b`), CHECK (`select` > 1))",
	// checks
	`CREATE TABLE t (a int CHECK (a > 1), b int, CHECK (b > 1), CHECK (a <> b), CONSTRAINT CONSTRAINT_3 CHECK (b > 3), CHECK (b > 4), CONSTRAINT z CHECK (a >= 2), CONSTRAINT CHECK (b < 99))`,
	`CREATE TABLE t (a int CHECK (a IN (1,2,3)), b varchar(9) DEFAULT 'x' CHECK (b IN ('x','y')) , c int NOT NULL CHECK (c BETWEEN 1 AND 5))`,
	// foreign keys
	`CREATE TABLE p (id int PRIMARY KEY, u int UNIQUE, v int, KEY (v)); CREATE TABLE t (a int, b int, c int, d int, CONSTRAINT foo FOREIGN KEY (a) REFERENCES p (id), FOREIGN KEY (b) REFERENCES p (u) ON DELETE CASCADE ON UPDATE SET NULL, FOREIGN KEY ix (c) REFERENCES p (v), CONSTRAINT q FOREIGN KEY w (d) REFERENCES p (id) ON DELETE RESTRICT ON UPDATE NO ACTION)`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int REFERENCES p (id), b int UNIQUE REFERENCES p (id) ON DELETE SET NULL, KEY (a,b))`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int PRIMARY KEY, b int, FOREIGN KEY (a) REFERENCES p (id), FOREIGN KEY (b) REFERENCES t (a))`,
	`CREATE TABLE p (a int, b varchar(9), PRIMARY KEY (a,b)); CREATE TABLE t (x int, y varchar(5), z int, KEY (x), KEY k (x,y,z), FOREIGN KEY (x,y) REFERENCES p (a,b))`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, b int, c int, FOREIGN KEY (a) REFERENCES p (id)); ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES p (id), ADD KEY k (a,b)`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id)); ALTER TABLE t DROP FOREIGN KEY t_ibfk_1; ALTER TABLE t ADD KEY k (a)`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, b int, CONSTRAINT t_ibfk_7 FOREIGN KEY (a) REFERENCES p (id)); ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES p (id); RENAME TABLE t TO u; ALTER TABLE u ADD c int, ADD FOREIGN KEY (c) REFERENCES p (id); RENAME TABLE p TO q`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id)); ALTER TABLE p CHANGE id pid int; ALTER TABLE t RENAME COLUMN a TO aa`,
	`SET foreign_key_checks = 0; CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id)); CREATE TABLE p (id int PRIMARY KEY); SET foreign_key_checks = 1`,
	`CREATE TABLE p (id int PRIMARY KEY) ENGINE=MyISAM; CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id)) ENGINE=MyISAM`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, b int, UNIQUE KEY a (b), FOREIGN KEY (a) REFERENCES p (id))`,
	`CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, b text, c int, UNIQUE KEY u (a,b), UNIQUE KEY v (c) USING HASH, FOREIGN KEY (a) REFERENCES p (id), FOREIGN KEY (c) REFERENCES p (id))`,
	// table options
	`CREATE TABLE t (a int) ENGINE=innodb COMMENT='t''x' AVG_ROW_LENGTH=5 CHECKSUM=1 DELAY_KEY_WRITE=1 MAX_ROWS=5 MIN_ROWS=1 PACK_KEYS=1 STATS_AUTO_RECALC=1 STATS_PERSISTENT=0 STATS_SAMPLE_PAGES=5`,
	`CREATE TABLE t (a int) ENGINE=MyISAM ROW_FORMAT=FIXED`, `CREATE TABLE t (a int) ROW_FORMAT=DYNAMIC`, `CREATE TABLE t (a int) ROW_FORMAT=COMPACT`, `CREATE TABLE t (a int) ROW_FORMAT=DEFAULT ENGINE=Aria TRANSACTIONAL=1`,
	`CREATE TABLE t (a int) ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8`, `CREATE TABLE t (a int) PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=5`, `SET default_storage_engine = MyISAM; CREATE TABLE t (a int); SET default_storage_engine = DEFAULT`,
	`CREATE TABLE t (a int, b int WITHOUT SYSTEM VERSIONING) WITH SYSTEM VERSIONING`, `CREATE TABLE t (a int, s timestamp(6) GENERATED ALWAYS AS ROW START, e timestamp(6) AS ROW END, PERIOD FOR SYSTEM_TIME(s,e)) WITH SYSTEM VERSIONING`,
	`CREATE TABLE t (a int); ALTER TABLE t ADD SYSTEM VERSIONING`, `CREATE TABLE t (a int) WITH SYSTEM VERSIONING; ALTER TABLE t DROP SYSTEM VERSIONING`,
	// partitions
	`CREATE TABLE t (a int, b int) PARTITION BY RANGE (a+1) SUBPARTITION BY HASH (b) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (10) COMMENT 'x', PARTITION p1 VALUES LESS THAN MAXVALUE)`,
	`CREATE TABLE t (a int, b int) PARTITION BY LIST COLUMNS (a,b) (PARTITION p0 VALUES IN ((1,2),(3,4)), PARTITION p1 VALUES IN ((5,NULL)))`,
	`CREATE TABLE t (c date, d datetime) PARTITION BY RANGE COLUMNS (c) (PARTITION p0 VALUES LESS THAN ('2020-01-01') ENGINE=InnoDB, PARTITION p1 VALUES LESS THAN (MAXVALUE) ENGINE=InnoDB)`,
	`CREATE TABLE t (c date) PARTITION BY HASH (year(c)) PARTITIONS 4`, `CREATE TABLE t (a int PRIMARY KEY) PARTITION BY KEY () PARTITIONS 3`, `CREATE TABLE t (a int) PARTITION BY LINEAR KEY (a) (PARTITION x, PARTITION y)`,
	`CREATE TABLE t (c date) PARTITION BY RANGE (to_days(c)) (PARTITION p0 VALUES LESS THAN (to_days('2020-01-01')), PARTITION p1 VALUES LESS THAN (737800+1))`,
	`CREATE TABLE t (a int, b int) PARTITION BY RANGE (a) SUBPARTITION BY KEY (b) (PARTITION p0 VALUES LESS THAN (10) (SUBPARTITION s0, SUBPARTITION s1), PARTITION p1 VALUES LESS THAN (20) (SUBPARTITION s2, SUBPARTITION s3))`,
	`CREATE TABLE t (a int, b int) PARTITION BY LIST (a) (PARTITION p0 VALUES IN (0,1), PARTITION p1 VALUES IN (2), PARTITION pd DEFAULT)`,
	`CREATE TABLE t (a int) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (20)); ALTER TABLE t ADD PARTITION (PARTITION p2 VALUES LESS THAN (30)); ALTER TABLE t DROP PARTITION p0; ALTER TABLE t REORGANIZE PARTITION p1,p2 INTO (PARTITION q VALUES LESS THAN (25), PARTITION r VALUES LESS THAN (30))`,
	`CREATE TABLE t (a int) PARTITION BY HASH (a) PARTITIONS 5; ALTER TABLE t COALESCE PARTITION 2; ALTER TABLE t ADD PARTITION PARTITIONS 4; ALTER TABLE t CHANGE a b bigint`,
	`CREATE TABLE t (a int) PARTITION BY HASH (a); ALTER TABLE t REMOVE PARTITIONING; CREATE TABLE u (a int); ALTER TABLE u PARTITION BY HASH (a) PARTITIONS 2`,
	// alter table
	`CREATE TABLE t (a int, b int, KEY (b)); ALTER TABLE t DROP COLUMN a, ADD COLUMN c int FIRST, CHANGE b bb bigint NOT NULL, ADD PRIMARY KEY (bb)`,
	`CREATE TABLE t (a int, b int); ALTER TABLE t ADD COLUMN c int AFTER b, ADD COLUMN d int AFTER c, MODIFY a int AFTER d; ALTER TABLE t ADD (x int, y int, KEY (x)), ADD COLUMN z int FIRST`,
	`CREATE TABLE t (a int, b int, c int, KEY k (a,b), KEY k2 (a)); ALTER TABLE t DROP COLUMN a`,
	`CREATE TABLE t (a int, b int, UNIQUE KEY (b)); ALTER TABLE t CHANGE b c int, ADD KEY (c), CHANGE a b int`,
	`CREATE TABLE t (a int, b int, UNIQUE KEY (b)); ALTER TABLE t DROP COLUMN b, ADD COLUMN b int FIRST`,
	`CREATE TABLE t (a int, b varchar(9), c text CHARACTER SET latin1, d char(3) CHARACTER SET binary, e enum('a')); ALTER TABLE t CONVERT TO CHARACTER SET latin1`,
	`CREATE TABLE t (a int, b varchar(9), c tinytext, d text, e mediumtext, f longtext) CHARSET latin1; ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
	`CREATE TABLE t (a text, b tinytext) CHARSET utf8mb3; ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4`, `CREATE TABLE t (a text, b varchar(9)) CHARSET utf8mb4; ALTER TABLE t CONVERT TO CHARACTER SET latin1`,
	`CREATE TABLE t (a int, b varchar(9)) CHARSET latin1; ALTER TABLE t CHARSET utf8mb3, ADD c text, ADD d text COLLATE utf8mb4_bin`,
	`CREATE TABLE t (a varchar(5) COLLATE utf8mb4_bin, b varchar(5)); ALTER TABLE t MODIFY a varchar(6), MODIFY b varchar(5) CHARACTER SET latin1, CONVERT TO CHARACTER SET utf8mb3`,
	`CREATE TABLE t (id int PRIMARY KEY, e int CHECK (e > 1), CHECK (e<9)); ALTER TABLE t RENAME COLUMN e TO ee`, `CREATE TABLE t (e int CHECK (e > 1), f int); ALTER TABLE t MODIFY e int, MODIFY f int CHECK (f > 1)`,
	`CREATE TABLE t (a int, b int, CHECK (a < 5), CHECK (b < 5)); ALTER TABLE t DROP COLUMN a, ADD CHECK (b > 0)`, `CREATE TABLE t (a int, CONSTRAINT c CHECK (a > 1)); ALTER TABLE t DROP CONSTRAINT c, ADD CONSTRAINT c CHECK (a > 2)`,
	`CREATE TABLE t (a int, b int AS (a+1), c int DEFAULT (a+2), KEY (b)); ALTER TABLE t RENAME COLUMN a TO aa`, `CREATE TABLE t (a int, b int, CHECK (a < b)); ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a`,
	`CREATE TABLE t (a int, b int, PRIMARY KEY (a)); ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (b), MODIFY a bigint NULL`, `CREATE TABLE t (a int, PRIMARY KEY (a)); ALTER TABLE t DROP PRIMARY KEY`,
	`CREATE TABLE t (a int PRIMARY KEY, b int); ALTER TABLE t MODIFY a bigint`, `CREATE TABLE t (a int, b text, c datetime); ALTER TABLE t ALTER a SET DEFAULT 5, ALTER COLUMN b SET DEFAULT ('x'), ALTER c SET DEFAULT current_timestamp; ALTER TABLE t ALTER a DROP DEFAULT`,
	`CREATE TABLE t (a int); ALTER TABLE t ENGINE=MyISAM, COMMENT='q', ROW_FORMAT=FIXED; ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME AS v`, `CREATE TABLE t (a int, KEY k (a)); ALTER TABLE t ALTER INDEX k IGNORED; ALTER TABLE t RENAME INDEX k TO w`,
	`CREATE TABLE t (a int, KEY k (a)); ALTER TABLE t RENAME KEY k TO w; ALTER TABLE t ALTER KEY w IGNORED; ALTER TABLE t ADD COLUMN IF NOT EXISTS a int, ADD COLUMN IF NOT EXISTS b int, DROP COLUMN IF EXISTS zz, DROP KEY IF EXISTS nope, ADD KEY IF NOT EXISTS w (b), MODIFY COLUMN IF EXISTS q int, ALGORITHM=COPY, LOCK=SHARED`,
	`CREATE TABLE t (a int, b varchar(9)); CREATE INDEX i ON t (a, b(3) DESC) COMMENT 'x'; CREATE UNIQUE INDEX u USING BTREE ON t (b); CREATE OR REPLACE INDEX i ON t (b); CREATE INDEX IF NOT EXISTS i ON t (a); DROP INDEX u ON t; CREATE FULLTEXT INDEX f ON t (b); DROP INDEX IF EXISTS zz ON t`,
	`CREATE TABLE p (a int PRIMARY KEY, b int DEFAULT 5, c varchar(9) COMMENT 'x', CHECK (b > 1), KEY k (c), FOREIGN KEY (b) REFERENCES p (a)) COMMENT='x' AUTO_INCREMENT=7; CREATE TABLE t LIKE p; CREATE TABLE u (LIKE p)`,
	`CREATE TABLE t (a int); CREATE TABLE IF NOT EXISTS t (b int); CREATE OR REPLACE TABLE t (c int); DROP TABLE IF EXISTS zz, t; CREATE TABLE t (d int); TRUNCATE TABLE t`,
	`CREATE TABLE a (x int); CREATE TABLE b (y int); RENAME TABLE a TO c, b TO a, c TO b`,
	`CREATE TABLE t (a int, b timestamp); ALTER TABLE t ADD c timestamp, MODIFY b timestamp NOT NULL`, `CREATE TABLE t (a varchar(20), KEY k (a(10))); ALTER TABLE t MODIFY a varchar(30)`,
	`CREATE TABLE t (a varchar(20), KEY k (a(10))); ALTER TABLE t MODIFY a varchar(10)`, `CREATE TABLE t (a varchar(20), KEY k (a(10))); ALTER TABLE t MODIFY a varchar(5)`, `CREATE TABLE t (a varchar(20), KEY k (a(10))); ALTER TABLE t MODIFY a int`,
	`CREATE TABLE t (a varchar(900), UNIQUE KEY k (a)); ALTER TABLE t MODIFY a varchar(20)`, `CREATE TABLE t (a varchar(20), UNIQUE KEY k (a)); ALTER TABLE t MODIFY a text`,
	`CREATE TABLE t (a varchar(20), KEY k (a)); ALTER TABLE t MODIFY a varchar(900)`, `CREATE TABLE t (a varchar(900), KEY k (a)); ALTER TABLE t MODIFY a varchar(20)`, `CREATE TABLE t (a varchar(20), KEY k (a)); ALTER TABLE t MODIFY a text`,
	`CREATE TABLE t (a text, KEY k (a)) CHARSET latin1; ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4`, `SET sql_mode = 'ANSI_QUOTES'; CREATE TABLE "t" ("a" int, "b" varchar(9) DEFAULT 'x', CHECK ("a" > 1)); SET sql_mode = ''`,
	`/*!40101 SET NAMES utf8mb4 */; /*!50503 CREATE TABLE t (a int) */; /*M!100100 CREATE TABLE u (a int) */; CREATE TABLE w (a int /*!80000 INVISIBLE */ /*M! COMMENT 'm' */)`,
}

// clean takes every table away.
func clean(t testing.TB, db *sql.DB) {
	t.Helper()
	rows, err := db.Query("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type <> 'VIEW'")
	if err != nil {
		t.Fatal(err)
	}
	script := "SET foreign_key_checks = 0;"
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		script += "DROP TABLE `" + escape(name) + "`;"
	}
	if _, err := db.Exec(script + "SET foreign_key_checks = 1, sql_mode = DEFAULT"); err != nil {
		t.Fatal(err)
	}
}

func escape(name string) string {
	var b []rune
	for _, r := range name {
		if r == '`' {
			b = append(b, r)
		}
		b = append(b, r)
	}
	return string(b)
}

func TestScriptsOnServer(t *testing.T) {
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	for _, text := range onServer {
		same(t, sv, db, text)
		clean(t, db)
	}
}
