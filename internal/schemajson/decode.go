package schemajson

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// maxName is far above what any engine takes.
const maxName = 1024

// key is what an object may hold. One that is not needed may be left out.
type key struct {
	name   string
	needed bool
}

// The keys of each kind of object.
var (
	documentKeys   = []key{{"version", true}, {"tables", true}, {"views", false}}
	tableKeys      = []key{{"name", true}, {"columns", true}, {"indexes", true}, {"foreign_keys", true}, {"checks", false}, {"triggers", false}}
	columnKeys     = []key{{"name", true}, {"data_type", true}, {"nullable", true}, {"primary_key", true}, {"unique", true}, {"default_value", false}}
	indexKeys      = []key{{"name", true}, {"columns", true}, {"unique", true}}
	foreignKeyKeys = []key{{"name", true}, {"columns", true}, {"referenced_table", true}, {"referenced_columns", true}, {"on_delete", false}, {"on_update", false}}
	checkKeys      = []key{{"name", true}, {"expression", true}}
	triggerKeys    = []key{{"name", true}, {"timing", true}, {"event", true}, {"action", true}}
	viewKeys       = []key{{"name", true}, {"definition", true}}
)

// Decode reads a schema JSON. It is strict: a key it does not know is an error, since a typo in an optional one would
// silently mean "none". All problems of form are reported at once, as joined *schema.Error without a side; whether the
// schema is a possible one is for Validate to say.
func Decode(file string, src []byte) (*Document, error) {
	root, err := parse(file, src, `{"version": "1", "tables": []}`)
	if err != nil {
		return nil, err
	}
	var p problems
	o := readObject(&p, root, "", documentKeys)
	d := &Document{
		version: o.string("version"),
		tables:  items(o, "tables", tableKeys, readTable),
		views:   items(o, "views", viewKeys, readView),
	}
	p.byPosition()
	if err := joined(&p); err != nil {
		return nil, err
	}
	return d, nil
}

func readTable(o object) *table {
	return &table{
		item:        o.item(),
		columns:     items(o, "columns", columnKeys, readColumn),
		indexes:     items(o, "indexes", indexKeys, readIndex),
		foreignKeys: items(o, "foreign_keys", foreignKeyKeys, readForeignKey),
		checks:      items(o, "checks", checkKeys, readCheck),
		triggers:    items(o, "triggers", triggerKeys, readTrigger),
	}
}

func readColumn(o object) *column {
	return &column{
		item:         o.item(),
		dataType:     o.string("data_type"),
		nullable:     o.boolean("nullable"),
		primaryKey:   o.boolean("primary_key"),
		unique:       o.boolean("unique"),
		defaultValue: o.optionalString("default_value"),
	}
}

func readIndex(o object) *index {
	return &index{item: o.item(), columns: o.strings("columns"), unique: o.boolean("unique")}
}

func readForeignKey(o object) *foreignKey {
	return &foreignKey{
		item:              o.item(),
		columns:           o.strings("columns"),
		referencedTable:   o.string("referenced_table"),
		referencedColumns: o.strings("referenced_columns"),
		onDelete:          o.optionalString("on_delete"),
		onUpdate:          o.optionalString("on_update"),
	}
}

func readCheck(o object) *check {
	return &check{item: o.item(), expression: o.string("expression")}
}

func readTrigger(o object) *trigger {
	return &trigger{item: o.item(), timing: o.string("timing"), event: o.string("event"), action: o.string("action")}
}

func readView(o object) *view {
	return &view{item: o.item(), definition: o.string("definition")}
}

// object is a JSON object whose keys have been checked. Where a value is missing or of another kind, that has been
// reported and reading it gives the zero value.
type object struct {
	problems *problems
	path     string
	list     string // the path of the list it is in
	pos      schema.Pos
	keys     []key
	values   []*node // of the keys; nil = not given
}

// readObject checks the keys of an object. The path is that of its list until its name is known.
func readObject(p *problems, n *node, path string, keys []key) object {
	o := object{problems: p, path: path, pos: n.pos, keys: keys, values: make([]*node, len(keys))}
	if n.kind != objectNode {
		o.wrongKind(n, path, objectNode)
		return o
	}
	for _, m := range n.fields {
		if p.more {
			return o
		}
		switch i := position(keys, m.key); {
		case i < 0:
			p.add(schema.KindSyntax, join(path, m.key), m.pos, "unknown key %s; the nearest known key is %q", excerpt(m.key), nearest(m.key, keys))
		case o.values[i] != nil:
			p.add(schema.KindSyntax, join(path, m.key), m.pos, "the key %q is given twice; keep one of them", m.key)
		default:
			o.values[i] = m.value
		}
	}
	for i, k := range keys {
		if k.needed && o.values[i] == nil {
			p.add(schema.KindSyntax, join(path, k.name), n.pos, "the key %q is missing; it has no default", k.name)
		}
	}
	return o
}

func (o object) wrongKind(n *node, path string, want nodeKind) {
	o.problems.add(schema.KindSyntax, path, n.pos, "expected %s, found %s", want, n.kind)
}

// given gives the value of a key of this kind of object, or nil.
func (o object) given(key string) *node {
	return o.values[position(o.keys, key)]
}

// value gives the value of a key if it is there and of that kind.
func (o object) value(key string, want nodeKind) (*node, bool) {
	n := o.given(key)
	if n == nil {
		return nil, false
	}
	if n.kind != want {
		o.wrongKind(n, join(o.path, key), want)
		return nil, false
	}
	return n, true
}

func (o object) string(key string) value {
	n, ok := o.value(key, stringNode)
	if !ok {
		return value{pos: o.pos}
	}
	return value{n.text, n.pos}
}

// optionalString takes null for "left out": writers of JSON differ in what they do with an absent string.
func (o object) optionalString(key string) *value {
	if n := o.given(key); n == nil || n.kind == nullNode {
		return nil
	}
	v := o.string(key)
	return &v
}

func (o object) boolean(key string) boolean {
	n, ok := o.value(key, booleanNode)
	if !ok {
		return boolean{pos: o.pos}
	}
	return boolean{n.truth, n.pos}
}

func (o object) strings(key string) []value {
	n, ok := o.value(key, arrayNode)
	if !ok {
		return nil
	}
	var values []value
	for i, element := range n.items {
		if element.kind != stringNode {
			o.wrongKind(element, nth(join(o.path, key), i), stringNode)
			continue
		}
		values = append(values, value{element.text, element.pos})
	}
	return values
}

func (o object) item() item {
	name := o.string("name")
	if len(name.text) > maxName {
		o.problems.add(schema.KindUnsupported, o.list, name.pos, "a name is longer than %d bytes; no engine takes it", maxName)
	}
	return item{name: name, list: o.list, pos: o.pos}
}

// items reads an array of objects.
func items[T any](o object, key string, keys []key, read func(object) T) list[T] {
	l := list[T]{path: join(o.path, key), pos: o.pos}
	n, ok := o.value(key, arrayNode)
	if !ok {
		return l
	}
	l.pos = n.pos
	for i, element := range n.items {
		if o.problems.more {
			break
		}
		each := readObject(o.problems, element, elementPath(l.path, i, element), keys)
		each.list = l.path
		l.items = append(l.items, read(each))
	}
	return l
}

// elementPath names an element of a list by its name, or by its number while it has none.
func elementPath(list string, i int, n *node) string {
	for _, m := range n.fields {
		if m.key == "name" && m.value.kind == stringNode && len(m.value.text) <= maxName {
			return join(list, m.value.text)
		}
	}
	return nth(list, i)
}

func position(keys []key, name string) int {
	return slices.IndexFunc(keys, func(k key) bool { return k.name == name })
}

// nearest gives the key with the fewest letters to change.
func nearest(name string, keys []key) string {
	name = strings.ToLower(name[:min(len(name), 40)])
	best, least := "", -1
	for _, k := range keys {
		if d := distance(name, k.name); least < 0 || d < least {
			best, least = k.name, d
		}
	}
	return best
}

// distance is Levenshtein's, over bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
