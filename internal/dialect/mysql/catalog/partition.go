package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/altergate/altergate/internal/schema"
)

// readPartitions reads PARTITION BY … from its words on.
func (r *reader) readPartitions() *Partitions {
	off := r.here().off
	r.want("partition", "by")
	p := &Partitions{}
	p.Method, p.exprs, p.columns = r.partitionMethod()
	subs := 0
	if r.take("partitions") {
		p.Count = int(r.number())
	}
	if r.take("subpartition", "by") {
		var exprs []*Expr
		var columns []string
		p.Sub, exprs, columns = r.partitionMethod()
		p.exprs, p.columns = append(p.exprs, exprs...), append(p.columns, columns...)
		if r.take("subpartitions") {
			subs = int(r.number())
		}
	}
	if r.take("(") {
		p.Parts = r.parts()
	}
	if subs > 1 && !slices.ContainsFunc(p.Parts, func(q Part) bool { return q.divided }) { // one is the default, and those with names are counted by them
		p.Sub += fmt.Sprintf(" subpartitions %d", subs)
	}
	if p.Count == 0 && len(p.Parts) == 0 {
		p.Count = 1
	}
	if len(p.Parts) > 0 && p.Count > 0 && p.Count != len(p.Parts) {
		r.fail(r.here(), schema.KindSchema, "PARTITIONS says %d and %d partitions are defined; make them the same", p.Count, len(p.Parts))
	}
	if len(p.Parts) > 0 {
		p.Count = 0
	}
	p.Text = r.since(off)
	p.settle()
	return p
}

// settle writes the canonical text of all of it.
func (p *Partitions) settle() {
	var b strings.Builder
	b.WriteString("partition by " + p.Method)
	if p.Count > 0 {
		fmt.Fprintf(&b, " partitions %d", p.Count)
	}
	if p.Sub != "" {
		b.WriteString(" subpartition by " + p.Sub)
	}
	for i, part := range p.Parts {
		b.WriteString(map[bool]string{true: " (", false: ", "}[i == 0] + part.Canon)
	}
	if len(p.Parts) > 0 {
		b.WriteByte(')')
	}
	p.Canon = b.String()
}

// partitionMethod reads how rows are spread, and gives the expressions and the columns that it names.
func (r *reader) partitionMethod() (string, []*Expr, []string) {
	linear := ""
	if r.take("linear") {
		linear = "linear "
	}
	switch {
	case r.take("hash"):
		r.want("(")
		e := r.expression()
		return linear + "hash (" + e.Canon + ")", []*Expr{e}, nil
	case r.take("key"):
		if r.take("algorithm") {
			r.want("=")
			// 2 is the default, and means the same as none ("ALTER TABLE Partition Operations", MySQL's manual).
			if r.word() == "1" {
				linear += "algorithm=1 "
			}
		}
		r.want("(")
		var columns []string
		if !r.take(")") {
			columns = r.names()
		}
		return linear + "key (" + lowered(columns) + ")", nil, columns
	case r.is("range"), r.is("list"):
		word := strings.ToLower(r.next().text)
		if r.take("columns") {
			r.want("(")
			columns := r.names()
			return word + " columns (" + lowered(columns) + ")", nil, columns
		}
		r.want("(")
		e := r.expression()
		return word + " (" + e.Canon + ")", []*Expr{e}, nil
	case r.take("system_time"):
		return "system_time" + r.systemTime(), nil, nil
	}
	r.failSyntax("HASH, KEY, RANGE or LIST")
	return "", nil, nil
}

// systemTime reads what MariaDB has behind SYSTEM_TIME. The moment from which intervals count is the table's making unless it is stated: data.
func (r *reader) systemTime() string {
	text := ""
	for r.err == nil && !r.done() && !r.is("(") && !r.is("partitions") && !r.is("subpartition") && !r.is(",") {
		if r.take("starts") {
			r.take("timestamp")
			r.next()
			continue
		}
		text += " " + strings.ToLower(r.next().text)
	}
	return text
}

func lowered(names []string) string {
	var list []string
	for _, n := range names {
		list = append(list, Quote(strings.ToLower(n)))
	}
	return strings.Join(list, ",")
}

// parts reads partitions up to a closing parenthesis; the opening one is past.
func (r *reader) parts() []Part {
	var list []Part
	for r.err == nil {
		at := r.here()
		r.want("partition")
		nameAt := r.here()
		p := Part{Name: r.ident()}
		r.wantName(nameAt, "partition", p.Name)
		switch {
		case r.take("values", "less", "than"):
			p.Values = "less than " + r.bounds()
		case r.take("values", "in"):
			p.Values = "in " + r.bounds()
		case r.take("history"), r.take("current"):
			p.Values = strings.ToLower(r.list[r.i-1].text)
		case r.take("default"):
			p.Values = "default"
		}
		p.Canon = "partition " + Quote(p.Name)
		if p.Values != "" {
			p.Canon += " values " + p.Values
		}
		p.Canon += r.partOptions()
		if r.take("(") {
			p.divided = true
			p.Canon += " ("
			for i := 0; r.err == nil; i++ {
				if i > 0 {
					p.Canon += ", "
				}
				r.want("subpartition")
				p.Canon += "subpartition " + Quote(r.ident()) + r.partOptions()
				if !r.take(",") {
					break
				}
			}
			r.want(")")
			p.Canon += ")"
		}
		p.Text = r.since(at.off)
		if slices.ContainsFunc(list, func(q Part) bool { return strings.EqualFold(q.Name, p.Name) }) {
			r.fail(at, schema.KindSchema, "there are two partitions %s; give one of them another name", p.Name)
		}
		list = append(list, p)
		if !r.take(",") {
			break
		}
	}
	r.want(")")
	return list
}

// partOptions reads the options of a partition. Its engine is the table's.
func (r *reader) partOptions() string {
	var list []string
	for r.err == nil {
		name := ""
		switch {
		case r.take("storage", "engine"), r.take("engine"):
			r.take("=")
			r.word()
			continue
		case r.take("data", "directory"):
			name = "data directory"
		case r.take("index", "directory"):
			name = "index directory"
		default:
			name = r.takeAny("comment", "max_rows", "min_rows", "tablespace", "nodegroup")
		}
		if name == "" {
			break
		}
		r.take("=")
		if value := r.word(); value != "" {
			list = append(list, name+" = "+quoteText(value))
		}
	}
	if list == nil {
		return ""
	}
	slices.Sort(list)
	return " " + strings.Join(list, " ")
}

// bounds reads the values of a partition. Constants are worked out, as the servers do.
func (r *reader) bounds() string {
	if r.take("maxvalue") {
		return "maxvalue"
	}
	r.want("(")
	var list []string
	for r.err == nil {
		switch {
		case r.take("maxvalue"):
			list = append(list, "maxvalue")
		default:
			x := &exprReader{reader: r}
			n := x.or()
			if x.failed {
				r.failSyntax("a value")
				return ""
			}
			var b strings.Builder
			fold(n).write(&b, true)
			list = append(list, b.String())
		}
		if !r.take(",") {
			break
		}
	}
	r.want(")")
	if len(list) == 1 && list[0] == "maxvalue" {
		return "maxvalue"
	}
	return "(" + strings.Join(list, ",") + ")"
}

// fold works out what is constant in a partition's bound: whole numbers, and days of a date.
func fold(n *node) *node {
	m := &node{op: n.op, text: n.text}
	for _, k := range n.kids {
		m.kids = append(m.kids, fold(k))
	}
	number := func(v int64) *node { return &node{op: "num", text: strconv.FormatInt(v, 10)} }
	switch {
	case len(m.kids) == 2 && m.kids[0].op == "num" && m.kids[1].op == "num":
		a, err := strconv.ParseInt(m.kids[0].text, 10, 32)
		b, err2 := strconv.ParseInt(m.kids[1].text, 10, 32)
		if err != nil || err2 != nil {
			return m
		}
		switch m.op {
		case "+":
			return number(a + b)
		case "-":
			return number(a - b)
		case "*":
			return number(a * b)
		}
	case m.op == "typed":
		return m.kids[0]
	case m.op == "func" && len(m.kids) == 1 && m.kids[0].op == "str" && (m.text == "to_days" || m.text == "year"):
		day, err := time.Parse(time.DateOnly, strings.TrimSuffix(m.kids[0].text, " 00:00:00"))
		if err != nil {
			return m
		}
		if m.text == "year" {
			return number(int64(day.Year()))
		}
		// TO_DAYS counts from the year 0: 1970-01-01 is day 719528 ("Date and Time Functions", MySQL's manual).
		return number(day.Unix()/86400 + 719528)
	}
	return m
}

// part gives the place of a partition by its name; -1 = there is none.
func (p *Partitions) part(name string) int {
	return slices.IndexFunc(p.Parts, func(q Part) bool { return strings.EqualFold(q.Name, name) })
}

// names tells whether the partitioning names a column.
func (p *Partitions) names(column string) bool {
	return slices.ContainsFunc(p.columns, func(c string) bool { return strings.EqualFold(c, column) }) ||
		slices.ContainsFunc(p.exprs, func(e *Expr) bool { return slices.Contains(e.Columns, columnKey(column)) })
}

// alterPartitions runs a clause about partitions; false = it is none.
func (r *reader) alterPartitions(t *Table) bool {
	at := r.here()
	need := func() bool {
		if t.Partitions == nil {
			r.fail(at, schema.KindSchema, "table %s is not partitioned; say PARTITION BY first", t.Name)
			return false
		}
		return true
	}
	switch {
	case r.is("partition", "by"):
		t.Partitions = r.readPartitions()
	case r.take("remove", "partitioning"):
		if need() {
			t.Partitions = nil
		}
	case r.take("add", "partition"):
		missing := r.take("if", "not", "exists")
		if need() {
			r.addPartitions(t, missing)
		}
	case r.take("drop", "partition"):
		ifExists := r.take("if", "exists")
		if need() {
			r.dropPartitions(t, ifExists)
		}
	case r.take("coalesce", "partition"):
		r.takeBinlog()
		n := int(r.number())
		if need() {
			if t.Partitions.Count <= n {
				r.fail(at, schema.KindSchema, "table %s has %d partitions, and %d cannot go; leave one", t.Name, t.Partitions.Count, n)
				return true
			}
			p := *t.Partitions
			p.Count -= n
			p.settle()
			t.Partitions = &p
		}
	case r.take("reorganize", "partition"):
		r.takeBinlog()
		if need() {
			r.reorganize(t)
		}
	case r.take("rename", "partition"), r.take("convert", "partition"), r.take("convert", "table"):
		r.fail(at, schema.KindUnsupported, "this clause about partitions is not understood; use REORGANIZE PARTITION or EXCHANGE PARTITION")
	case r.take("truncate", "partition"), r.take("analyze", "partition"), r.take("check", "partition"), r.take("optimize", "partition"),
		r.take("rebuild", "partition"), r.take("repair", "partition"), r.take("discard", "partition"), r.take("import", "partition"), r.take("exchange", "partition"):
		// These change rows and files, and no definition.
		for !r.done() && !r.is(",") {
			r.next()
		}
		need()
	default:
		return false
	}
	return true
}

func (r *reader) takeBinlog() { _ = r.take("no_write_to_binlog") || r.take("local") }

func (r *reader) addPartitions(t *Table, missing bool) {
	r.takeBinlog()
	at := r.here()
	p := *t.Partitions
	if r.take("partitions") {
		p.Count += int(r.number())
	} else {
		r.want("(")
		parts := r.parts()
		for _, n := range parts {
			if p.part(n.Name) >= 0 {
				if !missing {
					r.fail(at, schema.KindSchema, "table %s has a partition %s already; give the new one another name", t.Name, n.Name)
				}
				return
			}
		}
		p.Parts = append(slices.Clone(p.Parts), parts...)
	}
	p.settle()
	t.Partitions = &p
}

func (r *reader) dropPartitions(t *Table, ifExists bool) {
	p := *t.Partitions
	p.Parts = slices.Clone(p.Parts)
	for r.err == nil {
		at := r.here()
		name := r.ident()
		if i := p.part(name); i >= 0 {
			p.Parts = slices.Delete(p.Parts, i, i+1)
		} else if !ifExists {
			r.fail(at, schema.KindSchema, "table %s has no partition %s", t.Name, name)
		} else {
			r.idle(at, true, "table "+t.Name.String()+" has no partition "+name)
		}
		if !r.take(",") {
			break
		}
	}
	if len(p.Parts) == 0 && r.err == nil {
		r.fail(r.here(), schema.KindSchema, "no partition of table %s is left; drop the table, or REMOVE PARTITIONING", t.Name)
	}
	p.settle()
	t.Partitions = &p
}

// reorganize puts other partitions in the place of some that stand side by side.
func (r *reader) reorganize(t *Table) {
	p := *t.Partitions
	if r.done() || r.is(",") {
		return
	}
	from, count := -1, 0
	for r.err == nil {
		at := r.here()
		name := r.ident()
		i := p.part(name)
		if i < 0 || count > 0 && i != from+count {
			r.fail(at, schema.KindSchema, "table %s has no partition %s in that place; name partitions that stand side by side", t.Name, name)
			return
		}
		if count == 0 {
			from = i
		}
		count++
		if !r.take(",") {
			break
		}
	}
	r.want("into", "(")
	parts := r.parts()
	if r.err != nil {
		return
	}
	p.Parts = slices.Replace(slices.Clone(p.Parts), from, from+count, parts...)
	p.settle()
	t.Partitions = &p
}

// partitionsAscend refuses partitions by RANGE whose bounds are numbers and do not rise.
func (r *reader) partitionsAscend(t *Table) {
	if t.Partitions == nil {
		return
	}
	last, any := int64(0), false
	for _, p := range t.Partitions.Parts {
		text, ok := strings.CutPrefix(p.Values, "less than (")
		n, err := strconv.ParseInt(strings.TrimSuffix(text, ")"), 10, 64)
		if !ok || err != nil {
			continue
		}
		if any && n <= last {
			r.keep(&schema.Error{Pos: t.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("partition %s of table %s ends at %d, which is not behind the one before it; each partition by RANGE has to end higher", p.Name, t.Name, n)})
			return
		}
		last, any = n, true
	}
}
