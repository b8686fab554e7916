package schema_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/schema"
)

func TestPosString(t *testing.T) {
	for want, pos := range map[string]schema.Pos{
		"":              {},
		"schema.sql":    {File: "schema.sql"},
		"schema.sql:3":  {File: "schema.sql", Line: 3},
		"a/b.sql:12:40": {File: "a/b.sql", Line: 12, Column: 40},
	} {
		if got := pos.String(); got != want {
			t.Errorf("%+v reads %q, want %q", pos, got, want)
		}
	}
}

func TestErrorLine(t *testing.T) {
	at := schema.Pos{File: "schema.sql", Line: 3, Column: 7}
	for want, e := range map[string]schema.Error{
		"it is empty":                        {Text: "it is empty"},
		"head: schema.sql:3:7: it is empty":  {Side: schema.Head, Pos: at, Text: "it is empty"},
		"base: it is empty":                  {Side: schema.Base, Text: "it is empty"},
		"schema.sql:3:7: tables.a: it is so": {Pos: at, Path: "tables.a", Text: "it is so"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestErrors loses no error on the way to a report, however it was wrapped and joined.
func TestErrors(t *testing.T) {
	one := &schema.Error{Kind: schema.KindSyntax, Text: "one"}
	two := &schema.Error{Kind: schema.KindHint, Text: "two", Side: schema.Head}
	three := &schema.Error{Kind: schema.KindProof, Text: "three"}
	plain := errors.New("the disk is full")
	inside := func(text string) *schema.Error { return &schema.Error{Kind: schema.KindInternal, Text: text} }
	tests := []struct {
		name string
		err  error
		want []*schema.Error
	}{
		{"none", nil, nil},
		{"one", one, []*schema.Error{one}},
		{"one in a sentence", fmt.Errorf("reading the base: %w", one), []*schema.Error{one}},
		{"several", errors.Join(one, two), []*schema.Error{one, two}},
		{"several, nested", errors.Join(errors.Join(one, nil, two), three), []*schema.Error{one, two, three}},
		{"several in a sentence", fmt.Errorf("reading: %w", errors.Join(one, plain, two)), []*schema.Error{one, inside("the disk is full"), two}},
		{"one without a position", plain, []*schema.Error{inside("the disk is full")}},
		{"among others", errors.Join(one, fmt.Errorf("writing: %w", plain), two), []*schema.Error{one, inside("writing: the disk is full"), two}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, schema.Errors(tt.err)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
