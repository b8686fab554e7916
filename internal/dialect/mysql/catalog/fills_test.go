package catalog_test

import "testing"

// TestFills tells defaults that are certain to be a value of their column from those that are not.
func TestFills(t *testing.T) {
	sv := version(t, "mysql", "8.0.36")
	for definition, want := range map[string]bool{
		"int NOT NULL DEFAULT 5":                                 true,
		"int DEFAULT NULL":                                       true,
		"datetime NOT NULL DEFAULT CURRENT_TIMESTAMP":            true,
		"int NOT NULL DEFAULT (5)":                               true,
		"tinyint NOT NULL DEFAULT (500)":                         false,
		"int NOT NULL DEFAULT ('abc')":                           false,
		"int NOT NULL DEFAULT (10 div 2)":                        false,
		"int NOT NULL DEFAULT (nullif(1, 2))":                    false,
		"date NOT NULL DEFAULT '0000-00-00'":                     false,
		"date NOT NULL DEFAULT '2020-01-01'":                     true,
		"date NOT NULL DEFAULT (curdate())":                      true,
		"time NOT NULL DEFAULT (curdate())":                      false,
		"char(36) NOT NULL DEFAULT (uuid())":                     true,
		"varchar(10) NOT NULL DEFAULT (uuid())":                  false,
		"binary(16) NOT NULL DEFAULT (uuid_to_bin(uuid()))":      true,
		"binary(8) NOT NULL DEFAULT (uuid_to_bin(uuid()))":       false,
		"json NOT NULL DEFAULT (json_object())":                  true,
		"json NOT NULL DEFAULT (json_object('a'))":               false,
		`json NOT NULL DEFAULT ('{"a": 1}')`:                     true,
		"json NOT NULL DEFAULT ('x')":                            false,
		"varchar(3) NOT NULL DEFAULT ('abc')":                    true,
		"varchar(3) NOT NULL DEFAULT ('abcd')":                   false,
		"varchar(3) CHARACTER SET latin1 NOT NULL DEFAULT ('я')": false,
		"enum('a') NOT NULL DEFAULT ('a')":                       false,
		"int unsigned NOT NULL DEFAULT (unix_timestamp())":       true,
		"tinyint NOT NULL DEFAULT (unix_timestamp())":            false,
	} {
		c := read(t, sv, "CREATE TABLE t (a "+definition+")")
		if got := c.Tables["t"].Columns[0].Fills(); got != want {
			t.Errorf("%s: %v, want %v", definition, got, want)
		}
	}
}
