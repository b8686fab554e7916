package postgres

import "testing"

// TestRolesAreNames: what a role is called is data, and only the very words of the grammar are words.
func TestRolesAreNames(t *testing.T) {
	for list, want := range map[string]string{
		`public`:                               `PUBLIC`,
		`"Public"`:                             `"Public"`,
		`app,"a,b"`:                            `app, "a,b"`,
		`"""x""; DROP TABLE t; --"`:            `"""x""; DROP TABLE t; --"`,
		`current_user,"CURRENT_USER",app_user`: `CURRENT_USER, "CURRENT_USER", app_user`,
	} {
		if got := rolesSQL(list); got != want {
			t.Errorf("%s: got %s, want %s", list, got, want)
		}
	}
	if got, want := roleSQL(`"x"; DROP TABLE t; --`), `"""x""; DROP TABLE t; --"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
