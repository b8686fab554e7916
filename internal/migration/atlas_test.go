package migration_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/migration"
)

func TestReadAtlas(t *testing.T) {
	for _, r := range []reading{
		{name: "directives", files: []string{"atlas.sum", "h1:x\n", "2_b.sql", "-- atlas:txmode none\n\nb;", "10_a.sql", "-- atlas:txmode none\na;", "3.sql", "-- atlas:delimiter \\n\\n\\n\n\nc;c\n\n\nd;"}, want: `
atlas
10 m/10_a.sql up=a; tx
2 m/2_b.sql up=b;
3 m/3.sql up=c;c d; tx`},
		{name: "checkpoint after files", files: []string{"atlas.sum", "h1:x\n", "1_a.sql", "a;", "2_c.sql", "-- atlas:checkpoint\n\nc;"}, want: `
atlas
1 m/1_a.sql up=a; tx
# m/2_c.sql: is a checkpoint, which only an empty database runs; the files that it stands for are read instead`},
		{name: "checkpoint first", files: []string{"atlas.sum", "h1:x\n", "2_c.sql", "-- atlas:checkpoint\n\nc;", "3_a.sql", "a;"}, want: `
atlas
2 m/2_c.sql up=c; tx baseline
3 m/3_a.sql up=a; tx`},
		{name: "beside another tool", files: []string{"atlas.sum", "h1:x\n", "V1__a.sql", "a;"}, want: `
flyway
1 m/V1__a.sql up=a; tx
# m/atlas.sum: is not checked: only Atlas knows the order in which it takes the files of flyway`},
	} {
		r.run(t)
	}
}

// The sums are from an independent script: sha256 over name and text of each file and all before it, base64.
const (
	sumTotal = "h1:9Rna1FAqWCFAHJ93rMQc8FrnSthKZumONQA1mSkfAjc=\n"
	sumOne   = "1_a.sql h1:s6ya77vU4XVCpgeGyy1p/qdNofzPwSFZEhBk+YFjUPs=\n"
	sumTwo   = "2_b.sql h1:PUggq4dcX4UVXVEpaEZbs5fF756A3gFCdgr5XhM9t4U=\n"
)

// TestAtlasSum: a file of sums that does not fit is no answer at head.
func TestAtlasSum(t *testing.T) {
	a, b := "CREATE TABLE a (b int);\n", "-- a comment\r\nDROP TABLE a;\n"
	for _, tt := range []struct {
		name, sum string
		files     []string
		want      string // a part of the error
	}{
		{"fits", sumTotal + sumOne + sumTwo, []string{"1_a.sql", a, "2_b.sql", b}, ""},
		{"a file is not summed", "h1:sotmoflETKDmQu/V4VV0ujBiSSv0//QWBuH3etxKwqk=\n" + sumOne, []string{"1_a.sql", a, "2_b.sql", b}, "m/atlas.sum:2:1: 2_b.sql is not in it; run atlas migrate hash"},
		{"a file before is not summed", sumTotal + sumOne + sumTwo, []string{"1_0.sql", a, "1_a.sql", a, "2_b.sql", b}, "m/atlas.sum:2:1: 1_0.sql is not in it"},
		{"a file was edited", sumTotal + sumOne + sumTwo, []string{"1_a.sql", a + "\n", "2_b.sql", b}, "m/atlas.sum:2:1: 1_a.sql is not the file that was summed"},
		{"a file is gone", sumTotal + sumOne + sumTwo, []string{"1_a.sql", a}, "m/atlas.sum:3:1: it lists 2_b.sql, and there is no such file"},
		{"the first is gone", sumTotal + sumOne + sumTwo, []string{"2_b.sql", b}, "m/atlas.sum:2:1: it lists 1_a.sql, and there is no such file"},
		{"the lines were edited", "h1:x\n" + sumOne + sumTwo, []string{"1_a.sql", a, "2_b.sql", b}, "m/atlas.sum:1:1: the sum of its lines is not"},
		{"one is ignored", "h1:gn42KTsHXb+PjXBhYLDHaeS8R+S5MkvxsznpdLwRYAE=\n1_a.sql h1:s6ya77vU4XVCpgeGyy1p/qdNofzPwSFZEhBk+YFjUPs=\n2_b.sql h1:x/AtmADNr4CEiKA1pBQysZtFCWBdwbQBApofISCqewU=\n", []string{"1_a.sql", a, "1a_b.sql", "-- atlas:sum ignore\nx;", "2_b.sql", b}, ""},
		{"golang-migrate's", "h1:CNpXbFCuHnpwexRw4hYcS50ZLcYLWoPb53XFUnb+gKU=\n1_a.up.sql h1:OtqtFAGRWUhzaykNEMioCJ8vrNaiEqjdDoKI906+yWw=\n", []string{"1_a.up.sql", a, "1_a.down.sql", b}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := tree("m/atlas.sum", tt.sum)
			for i := 0; i < len(tt.files); i += 2 {
				files["m/"+tt.files[i]] = tree("x", tt.files[i+1])["x"]
			}
			d, err := migration.Read(files, "m", migration.Options{Dialect: "postgres"})
			if err != nil {
				t.Fatal(err)
			}
			_, err = migration.Compare(nil, d)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
