package bind

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// document prints a jsonb literal as the server stores it: keys sorted by length and then by bytes, of equal ones the last, and one blank
// behind each colon and comma. What is no JSON, or is more than that package json reads as the server does, stays as it is.
func document(raw string) (string, bool) {
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	var b strings.Builder
	if !readDocument(d, &b, 0) {
		return "", false
	}
	if _, err := d.Token(); err != io.EOF {
		return "", false
	}
	return b.String(), !strings.ContainsRune(b.String(), '\uFFFD') // half of a surrogate pair, which the server refuses
}

func readDocument(d *json.Decoder, b *strings.Builder, depth int) bool {
	t, err := d.Token()
	if err != nil || depth > 100 {
		return false
	}
	switch x := t.(type) {
	case json.Delim:
		if x == '{' {
			return readObject(d, b, depth)
		}
		return readArray(d, b, depth)
	case string:
		writeString(b, x)
	case json.Number:
		b.WriteString(number(x.String()))
	case bool:
		fmt.Fprint(b, x)
	case nil:
		b.WriteString("null")
	}
	return true
}

func readArray(d *json.Decoder, b *strings.Builder, depth int) bool {
	b.WriteByte('[')
	for i := 0; d.More(); i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		if !readDocument(d, b, depth+1) {
			return false
		}
	}
	b.WriteByte(']')
	_, err := d.Token()
	return err == nil
}

func readObject(d *json.Decoder, b *strings.Builder, depth int) bool {
	members := map[string]string{}
	var keys []string
	for d.More() {
		k, err := d.Token()
		key, ok := k.(string)
		if err != nil || !ok {
			return false
		}
		var v strings.Builder
		if !readDocument(d, &v, depth+1) {
			return false
		}
		if _, there := members[key]; !there {
			keys = append(keys, key)
		}
		members[key] = v.String()
	}
	slices.SortFunc(keys, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)) })
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteString(", ")
		}
		writeString(b, k)
		b.WriteString(": " + members[k])
	}
	b.WriteByte('}')
	_, err := d.Token()
	return err == nil
}

// writeString writes a string with the escapes that the server uses (PostgreSQL 15, json.c: escape_json).
func writeString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, c := range s {
		switch c {
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			if c < ' ' {
				fmt.Fprintf(b, `\u%04x`, c)
			} else {
				b.WriteRune(c)
			}
		}
	}
	b.WriteByte('"')
}
