package bind

import (
	"cmp"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// userTypes tells builtin of the catalog's types, by the names under which values carry them.
type userTypes struct {
	types     map[string]*catalog.Type
	rows      map[string]catalog.Name // tables and views are types too
	bases     map[string]string
	subtypes  map[string]string
	extension map[string]bool
}

// Enum tells whether a type is an enum.
func (u *userTypes) Enum(t string) bool { return u.types[t] != nil && u.types[t].Kind == catalog.Enum }

// Base gives the type under a domain.
func (u *userTypes) Base(t string) string { return u.bases[t] }

// Range gives the subtype of a range.
func (u *userTypes) Range(t string) (string, bool) {
	s, ok := u.subtypes[t]
	return s, ok
}

// Composite tells whether values of a type have columns.
func (u *userTypes) Composite(t string) bool {
	if k := u.types[t]; k != nil {
		return k.Kind == catalog.Composite
	}
	_, ok := u.rows[t]
	return ok
}

// readTypes gathers what userTypes tells.
func (b *Binder) readTypes() {
	u := &b.known
	*u = userTypes{map[string]*catalog.Type{}, map[string]catalog.Name{}, map[string]string{}, map[string]string{}, map[string]bool{}}
	for name := range b.catalog.Extensions {
		b.readExtension(name)
	}
	for n, t := range b.catalog.Types {
		u.types[n.String()] = t
	}
	for n := range b.catalog.Tables {
		u.rows[n.String()] = n
	}
	for n := range b.catalog.Views {
		u.rows[n.String()] = n
	}
	for n, t := range b.catalog.Types {
		r := &run{b: b, o: t.Origin}
		switch {
		case t.Kind == catalog.Domain && t.Base.Node != nil:
			u.bases[n.String()] = r.typeOf(t.Base.Node).base
		case t.Kind == catalog.Range && t.Subtype.Node != nil:
			u.subtypes[n.String()] = r.typeOf(t.Subtype.Node).base
		}
	}
}

// underlying gives the type under a chain of domains.
func (b *Binder) underlying(t string) string {
	for range 32 { // a chain that long is a circle
		base := b.known.bases[t]
		if base == "" {
			return t
		}
		t = base
	}
	return t
}

// typeKey names a type in a tree. Trees are shared by equal statements, which need not mean the same at another time.
type typeKey struct {
	node *pg.TypeName
	time int
}

// typeInfo is what a type's name means.
type typeInfo struct {
	base string // without modifiers
	full string // with modifiers
	mods []int
	user bool // base, or the type of its elements, is the catalog's
	miss bool
}

// typeOf finds a type.
func (r *run) typeOf(t *pg.TypeName) typeInfo {
	key := typeKey{t, r.o.Time}
	info, ok := r.b.types[key]
	if !ok {
		info = r.findType(t)
		r.b.types[key] = info
	}
	switch {
	case info.user:
		r.ref("type", strings.TrimSuffix(info.base, "[]"), "")
	case info.miss:
		r.miss("type", strings.Join(names(t.GetNames()), "."), t.GetLocation())
	}
	return info
}

func (r *run) findType(t *pg.TypeName) typeInfo {
	if t.GetPctType() {
		return r.typeOfColumn(t)
	}
	info := r.findScalarType(t.GetNames())
	info.full = info.base
	info.mods = modifiers(t.GetTypmods())
	if len(info.mods) > 0 {
		if full, err := builtin.Format(info.base, info.mods); err == nil {
			info.full = full
		} else {
			info.full = info.base + "(" + r.modifierText(t.GetTypmods()) + ")"
		}
	} else if len(t.GetTypmods()) > 0 {
		info.full = info.base + "(" + r.modifierText(t.GetTypmods()) + ")"
	}
	if len(t.GetArrayBounds()) > 0 && !strings.HasSuffix(info.base, "[]") {
		info.base += "[]"
		info.full += "[]"
	}
	return info
}

// findScalarType looks a type's name up. What is built in comes first, as pg_catalog is first in the search path unless it is named.
func (r *run) findScalarType(list []*pg.Node) typeInfo {
	schema, name := qualified(list)
	if t, ok := builtin.TypeName(schema, name); ok {
		return typeInfo{base: t}
	}
	if n, ok := r.b.catalog.ResolveType(r.o, schema, name); ok {
		return typeInfo{base: n.String(), user: true}
	}
	if n, ok := r.b.catalog.Resolve(r.o, schema, name); ok {
		return typeInfo{base: n.String(), user: true}
	}
	if element, ok := strings.CutPrefix(name, "_"); ok {
		if n, ok := r.b.catalog.ResolveType(r.o, schema, element); ok {
			return typeInfo{base: n.String() + "[]", user: true}
		}
	}
	if r.b.known.extension[name] {
		return typeInfo{base: name}
	}
	if element, ok := strings.CutPrefix(name, "_"); ok && r.b.known.extension[element] {
		return typeInfo{base: element + "[]"}
	}
	if schema != "" {
		name = catalog.Name{Schema: schema, Name: name}.String()
	}
	return typeInfo{base: name, miss: !isSystem(schema, name)}
}

// typeOfColumn follows table.column%TYPE, which the server does once, when the statement runs.
func (r *run) typeOfColumn(t *pg.TypeName) typeInfo {
	list := names(t.GetNames())
	if n := len(list); n >= 2 {
		schema := ""
		if n > 2 {
			schema = list[n-3]
		}
		if rel, ok := r.relation(schema, list[n-2]); ok {
			for _, c := range rel.columns {
				if c.name == list[n-1] {
					return typeInfo{base: c.typ, full: c.fullType(), user: r.b.isUser(c.typ)}
				}
			}
		}
	}
	name := strings.Join(list, ".")
	return typeInfo{base: name + "%type", full: name + "%type", miss: true}
}

func (b *Binder) isUser(t string) bool {
	t = strings.TrimSuffix(t, "[]")
	_, row := b.known.rows[t]
	return row || b.known.types[t] != nil
}

// modifiers gives the modifiers of a type that are whole numbers, as those of built-in types are.
func modifiers(list []*pg.Node) []int {
	var mods []int
	for _, n := range list {
		c := n.GetAConst()
		if c == nil || c.GetSval() != nil || c.GetFval() != nil || c.GetBsval() != nil {
			return nil
		}
		mods = append(mods, int(c.GetIval().GetIval()))
	}
	return mods
}

// modifierText prints modifiers as written: those of an extension's types may be words.
func (r *run) modifierText(list []*pg.Node) string {
	var parts []string
	for _, n := range list {
		switch {
		case n.GetColumnRef() != nil:
			parts = append(parts, strings.Join(names(n.GetColumnRef().GetFields()), "."))
		default:
			parts = append(parts, r.expr(n, &scope{}).text)
		}
	}
	return strings.Join(parts, ",")
}

// spelled writes a type so that nothing in a user's name for it can be taken for anything but a name.
func (b *Binder) spelled(t string) string {
	name := strings.TrimSuffix(t, "[]")
	if !b.isUser(name) {
		return t
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.') {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` + t[len(name):]
		}
	}
	return t
}

// readExtension takes in what an extension makes.
func (b *Binder) readExtension(name string) {
	types, ok := builtin.ExtensionTypes(name)
	for _, t := range types {
		b.known.extension[t] = true
	}
	b.strangers = b.strangers || !ok
	if name != "plpgsql" {
		b.extensions = true
		b.homes[cmp.Or(b.catalog.Extensions[name].Props["schema"], catalog.Public)] = true
	}
	for _, t := range builtin.ExtensionRelations(name) {
		b.foreign[t] = true
	}
}
