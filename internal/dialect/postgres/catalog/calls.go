package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
)

// Calls visits the functions that are called anywhere in a tree, as they are written.
func Calls(node *pg.Node, visit func(schemaName, name string)) {
	walk(node.ProtoReflect(), func(m protoreflect.Message) {
		if call, ok := m.Interface().(*pg.FuncCall); ok {
			visit(apart(call.GetFuncname()))
		}
	})
}

// MayWrite tells whether a function that is called may do more than to read and to count: one of the server's that does, one of the
// schema's that is volatile, or one that nothing is known of.
func (c *Catalog) MayWrite(o Origin, schemaName, name string) bool {
	if schemaName == "pg_catalog" || schemaName == "" && builtin.HasFunction(name) {
		return builtin.Reaches(name)
	}
	found := c.ResolveFunctions(o, schemaName, name)
	if len(found) == 0 {
		return !harmless[strings.ToLower(name)]
	}
	return slices.ContainsFunc(found, func(f *Function) bool { return f.Kind != "aggregate" && f.Volatility == "volatile" })
}

// harmless are functions of extensions that only give values (PostgreSQL 15, appendix F: uuid-ossp, pgcrypto, unaccent, pg_trgm,
// fuzzystrmatch, citext, hstore).
var harmless = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(`uuid_generate_v1 uuid_generate_v1mc uuid_generate_v3 uuid_generate_v4 uuid_generate_v5 uuid_nil uuid_ns_dns uuid_ns_url uuid_ns_oid uuid_ns_x500
		digest hmac crypt gen_salt encrypt decrypt encrypt_iv decrypt_iv gen_random_bytes pgp_sym_encrypt pgp_sym_decrypt pgp_sym_encrypt_bytea pgp_sym_decrypt_bytea
		pgp_pub_encrypt pgp_pub_decrypt armor dearmor unaccent similarity word_similarity strict_word_similarity show_trgm levenshtein soundex difference metaphone dmetaphone
		dmetaphone_alt citext hstore hstore_to_json hstore_to_jsonb akeys avals skeys svals slice`) {
		set[name] = true
	}
	return set
}()
