package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// dump writes a schema as pg_dump does for a Rails application's structure.sql: names with their schema, everything that is not a
// column in statements of its own, and what refers to what at the end.
type dump struct {
	tables, views []string
	// What is said of all tables comes in sections, one after the other.
	sequences, defaults, keys, indexes, triggers, foreign []string
}

// statement writes one statement under the comment that pg_dump gives it.
func statement(kind, name, sql string) string {
	return fmt.Sprintf("--\n-- Name: %s; Type: %s; Schema: public; Owner: -\n--\n\n%s;\n", name, kind, sql)
}

// tableOf writes a table from lines that say, besides its columns: "unique COLUMNS", "index ELEMENTS [WHERE …]", "check NAME EXPR",
// "ref COLUMN TABLE [ACTION]", "trigger NAME …", and with "id TYPE" which key it has, bigint where none is given.
func (d *dump) tableOf(name string, lines []string) {
	key, columns := "bigint", []string{}
	var checks []string
	for _, line := range lines {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "id":
			key = rest
		case "unique":
			columnsOf := strings.ReplaceAll(rest, ", ", "_and_")
			d.keys = append(d.keys, statement("CONSTRAINT", name+" "+name+"_"+columnsOf+"_key", fmt.Sprintf("ALTER TABLE ONLY %s\n    ADD CONSTRAINT %s_%s_key UNIQUE (%s)", qualified(name), last(name), columnsOf, rest)))
		case "index":
			d.indexOf(name, rest)
		case "check":
			k, expr, _ := strings.Cut(rest, " ")
			checks = append(checks, fmt.Sprintf("    CONSTRAINT %s CHECK (%s)", k, expr))
		case "ref":
			d.refOf(name, rest)
		case "trigger":
			trigger, what, _ := strings.Cut(rest, " ")
			what = strings.Replace(what, " ON ", " ON "+qualified(name)+" ", 1)
			d.triggers = append(d.triggers, statement("TRIGGER", name+" "+trigger, "CREATE TRIGGER "+trigger+" "+what))
		default:
			columns = append(columns, "    "+line)
		}
	}
	columns = append([]string{"    id " + key + " NOT NULL"}, columns...)
	d.tables = append(d.tables, statement("TABLE", name, "CREATE TABLE "+qualified(name)+" (\n"+strings.Join(append(columns, checks...), ",\n")+"\n)"))
	d.numbered(name, key)
}

// numbered gives a table its key and the sequence of that.
func (d *dump) numbered(name, key string) {
	as := ""
	if key == "integer" {
		as = "    AS integer\n"
	}
	d.sequences = append(d.sequences,
		statement("SEQUENCE", name+"_id_seq", "CREATE SEQUENCE "+qualified(name)+"_id_seq\n"+as+"    START WITH 1\n    INCREMENT BY 1\n    NO MINVALUE\n    NO MAXVALUE\n    CACHE 1"),
		statement("SEQUENCE OWNED BY", name+"_id_seq", "ALTER SEQUENCE "+qualified(name)+"_id_seq OWNED BY "+qualified(name)+".id"))
	d.defaults = append(d.defaults, statement("DEFAULT", name+" id", "ALTER TABLE ONLY "+qualified(name)+" ALTER COLUMN id SET DEFAULT nextval('"+qualified(name)+"_id_seq'::regclass)"))
	d.keys = append(d.keys, statement("CONSTRAINT", name+" "+name+"_pkey", fmt.Sprintf("ALTER TABLE ONLY %s\n    ADD CONSTRAINT %s_pkey PRIMARY KEY (id)", qualified(name), last(name))))
}

// indexOf writes an index whose name Rails would give it, of the words in its elements.
func (d *dump) indexOf(table, elements string) {
	what, unique := strings.CutPrefix(elements, "UNIQUE ")
	on, where, partial := strings.Cut(what, " WHERE ")
	name := "index_" + last(table) + "_on_" + strings.Join(words(on), "_and_")
	sql := fmt.Sprintf("INDEX %s ON %s USING btree (%s)", name, qualified(table), on)
	if strings.HasPrefix(on, "gin ") {
		sql = fmt.Sprintf("INDEX %s ON %s USING gin (%s)", name, qualified(table), strings.TrimPrefix(on, "gin "))
	}
	if partial {
		sql += " WHERE (" + where + ")"
	}
	if unique {
		sql = "UNIQUE " + sql
	}
	d.indexes = append(d.indexes, statement("INDEX", name, "CREATE "+sql))
}

func (d *dump) refOf(table, ref string) {
	parts := strings.SplitN(ref, " ", 3)
	sql := fmt.Sprintf("ALTER TABLE ONLY %s\n    ADD CONSTRAINT %s_%s_fkey FOREIGN KEY (%s) REFERENCES %s(id)", qualified(table), last(table), parts[0], parts[0], qualified(parts[1]))
	if len(parts) > 2 {
		sql += " ON DELETE " + parts[2]
	}
	d.foreign = append(d.foreign, statement("FK CONSTRAINT", table+" "+parts[0], sql))
}

func (d *dump) view(name, sql string) {
	d.views = append(d.views, statement("VIEW", name, "CREATE VIEW "+qualified(name)+" AS\n"+sql))
}

// String puts the sections in the order in which pg_dump has them.
func (d *dump) String() string {
	sections := [][]string{{preamble}, {types}, {functions}, d.tables, d.sequences, {partitions}, d.defaults, d.keys, d.views, d.indexes, {rest}, d.triggers, d.foreign, {policies}, {comments}, {migrations}}
	if len(d.views) == 0 {
		sections = [][]string{{preamble}, {types}, {functions}, d.tables, d.sequences, d.defaults, d.keys, d.indexes, d.triggers, d.foreign}
	}
	var b strings.Builder
	for _, s := range sections {
		b.WriteString(strings.Join(s, "\n\n"))
		b.WriteString("\n\n")
	}
	return b.String()
}

// bulkViews is how many views there are besides those of the core.
const bulkViews = 16

// structure is the schema that the edit scripts start from: the core, which they edit, among many tables that stay as they are.
func structure() string { return garden().String() }

// shuffled is the same with the statements of each section in another order.
func shuffled(seed uint64) string {
	d, r := garden(), rand.New(rand.NewPCG(seed, seed))
	for _, section := range [][]string{d.tables, d.sequences, d.defaults, d.keys, d.indexes, d.triggers, d.foreign} {
		r.Shuffle(len(section), func(i, j int) { section[i], section[j] = section[j], section[i] })
	}
	return d.String()
}

func garden() *dump {
	d := &dump{}
	for _, block := range strings.Split(strings.TrimSpace(core), "\n\n") {
		lines := strings.Split(block, "\n")
		d.tableOf(lines[0], lines[1:])
	}
	for _, v := range strings.Split(strings.TrimSpace(views), "\n\n") {
		name, sql, _ := strings.Cut(v, "\n")
		if materialized, ok := strings.CutPrefix(name, "materialized "); ok {
			d.views = append(d.views, statement("MATERIALIZED VIEW", materialized, "CREATE MATERIALIZED VIEW "+qualified(materialized)+" AS\n"+sql+"\n  WITH NO DATA"))
			continue
		}
		d.view(name, sql)
	}
	d.bulk(120)
	for i := range bulkViews {
		d.view(fmt.Sprintf("%s_summary", bulkName(i)), fmt.Sprintf(" SELECT t.id,\n    t.name,\n    (t.amount * (t.quantity)::numeric) AS worth\n   FROM %s t\n  WHERE ((t.status)::text <> 'closed'::text)", qualified(bulkName(i))))
	}
	return d
}

// plain is a schema of nothing but tables like those of an application, for measuring.
func plain(tables int) string {
	d := &dump{}
	d.bulk(tables)
	return d.String()
}

var (
	areas = []string{"nursery", "herbarium", "library", "kitchen", "workshop", "archive", "pond", "orchard", "gate", "office", "tower", "meadow"}
	nouns = []string{"accounts", "batches", "contacts", "devices", "entries", "folders", "grades", "holdings", "issues", "journals", "keys", "lists", "members", "notices", "offers", "parcels", "quotas", "records", "samples", "teams"}
)

// bulkName gives a table its name: an area and a noun, and a number from the time when these are used up.
func bulkName(i int) string {
	name := areas[i%len(areas)] + "_" + nouns[i/len(areas)%len(nouns)]
	if n := i / len(areas) / len(nouns); n > 0 {
		name += fmt.Sprintf("_%d", n+1)
	}
	return name
}

// bulk adds tables of an application: numbers, texts, documents, and references to tables before them. The seed is always the same.
func (d *dump) bulk(tables int) {
	r := rand.New(rand.NewPCG(20, 25))
	for i := range tables {
		lines := []string{"name character varying(120) NOT NULL", "status character varying(20) DEFAULT 'open'::character varying NOT NULL", "quantity integer DEFAULT 0 NOT NULL",
			"amount numeric(10,2) DEFAULT 0.0 NOT NULL", "settings jsonb DEFAULT '{}'::jsonb NOT NULL", "external_id uuid DEFAULT gen_random_uuid() NOT NULL"}
		for c := range r.IntN(3) {
			lines = append(lines, fmt.Sprintf("note_%d text", c), fmt.Sprintf("checked_on_%d date", c))
		}
		parents := min(i, 1+r.IntN(2))
		for p := range parents {
			column := fmt.Sprintf("parent_%d_id", p)
			lines = append(lines, column+" bigint", "index "+column, "ref "+column+" "+bulkName(r.IntN(i))+[]string{"", " CASCADE", " SET NULL"}[r.IntN(3)])
		}
		lines = append(lines, "created_at timestamp(6) without time zone NOT NULL", "updated_at timestamp(6) without time zone NOT NULL",
			"check "+bulkName(i)+"_quantity_check (quantity >= 0)")
		if r.IntN(2) == 0 {
			lines = append(lines, "index status, created_at WHERE ((status)::text <> 'closed'::text)")
		}
		lines = append(lines, "index UNIQUE external_id")
		if r.IntN(3) == 0 {
			lines = append(lines, "index lower((name)::text)")
		}
		d.tableOf(bulkName(i), lines)
	}
}

// qualified writes a name with its schema, which is public where none is given.
func qualified(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	return "public." + name
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// words are the names in the elements of an index, without types, which stand behind colons.
func words(elements string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(elements, func(r rune) bool { return strings.ContainsRune("(), ", r) }) {
		if strings.Contains(part, ":") || part == "public.season" || part == "gin" {
			continue
		}
		out = append(out, strings.TrimPrefix(part, "public."))
	}
	return out
}
