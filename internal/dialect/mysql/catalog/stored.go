package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/schema"
)

// errorAt makes an error at the beginning of a statement.
func (r *reader) errorAt(s *script.Statement, format string, args ...any) error {
	return &schema.Error{Pos: s.Pos(0), Path: s.Path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)}
}

// later makes that error one that other statements may take away.
func (r *reader) later(s *script.Statement, format string, args ...any) error {
	return waiting{r.errorAt(s, format, args...).(*schema.Error)}
}

// bodyCanon writes a body in one form: comments and white space outside of strings aside, keywords in lower case.
func (r *reader) bodyCanon(text string) string {
	list, ok := r.bodyTokens(text)
	if !ok {
		return strings.TrimSpace(text)
	}
	for len(list) > 0 && list[len(list)-1].text == ";" {
		list = list[:len(list)-1]
	}
	return wordsOf(list)
}

// bodyTokens gives the tokens of a text without its end.
func (r *reader) bodyTokens(text string) ([]token, bool) {
	x := &lexer{src: text, mode: r.mode, maria: r.c.Server.MariaDB, number: r.c.reads.Major*10_000 + r.c.reads.Minor*100 + r.c.reads.Patch, keepEnds: true}
	list := x.all()
	if x.err != "" {
		return nil, false
	}
	return list[:len(list)-1], true
}

func canonDefiner(text string) string {
	lower := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	if strings.HasPrefix(lower, "current_user") {
		return "CURRENT_USER"
	}
	return text
}

// trigger runs CREATE and DROP TRIGGER.
func (r *reader) trigger(s *script.Statement) error {
	p, c := s.Stored, r.c
	if p == nil {
		return r.errorAt(s, "this statement about a trigger is not understood; write it as %s takes it", c.Server.Name())
	}
	name := c.named(p.Name.Database, p.Name.Name)
	key := name.Key()
	old := c.Triggers[key]
	if s.Kind == script.DropTrigger {
		if old == nil && !p.IfExists {
			return r.later(s, "trigger %s is not there to drop", name)
		}
		if old == nil {
			r.idle(r.here(), true, "trigger "+name.String()+" is not there")
		}
		c.dropTrigger(key)
		return errCarried
	}
	if problem := nameProblem("trigger", name.Name); problem != "" {
		return r.errorAt(s, "the name %q of a trigger %s, which %s refuses; give it another", name.Name, problem, c.Server.Name())
	}
	table := c.named(p.Table.Database, p.Table.Name)
	if p.Table.Database == "" && p.Name.Database != "" {
		table.Database = name.Database
	}
	if p.Name.Database == "" {
		name.Database = table.Database
		key = name.Key()
		old = c.Triggers[key]
	}
	switch {
	case c.Tables[table.Key()] == nil:
		return r.later(s, "trigger %s is on table %s, which is not there; declare it first", name, table)
	case old != nil && p.IfNotExists:
		r.idleMade(r.here(), "trigger", name)
		return nil
	case old != nil && !p.OrReplace:
		return r.errorAt(s, "trigger %s is there already; drop it first, or give this one another name", name)
	case old != nil:
		c.dropTrigger(key)
	}
	g := &Trigger{Name: name, Table: table, Time: strings.ToUpper(p.Time), Event: strings.ToUpper(p.Event), Definer: canonDefiner(p.Definer), Order: strings.ToUpper(p.Order), Beside: p.Beside,
		Body: p.Body, Canon: r.bodyCanon(p.Body), Mode: r.programMode("trigger", name), Words: script.Words(p.Body), Text: strings.TrimSpace(s.SQL), Pos: s.Pos(0)}
	list := c.triggersOf(g)
	at := len(list)
	if g.Order != "" {
		i := slices.IndexFunc(list, func(o *Trigger) bool { return strings.EqualFold(o.Name.Name, g.Beside) })
		if i < 0 {
			return r.later(s, "trigger %s is to run beside %s, which table %s does not have for %s %s", name, g.Beside, table, g.Time, g.Event)
		}
		at = i
		if g.Order == "FOLLOWS" {
			at++
		}
	}
	c.Triggers[key] = g
	c.number(slices.Insert(list, at, g))
	return errCarried
}

// triggersOf gives the triggers of the same table, time and event in their order.
func (c *Catalog) triggersOf(g *Trigger) []*Trigger {
	var list []*Trigger
	for _, key := range sorted(c.Triggers) {
		if o := c.Triggers[key]; o != g && o.Table == g.Table && o.Time == g.Time && o.Event == g.Event {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b *Trigger) int { return a.Place - b.Place })
	return list
}

// number gives triggers their places; those that change are copied, since a clone shares them.
func (c *Catalog) number(list []*Trigger) {
	for i, g := range list {
		if g.Place != i {
			h := *g
			h.Place = i
			c.Triggers[g.Name.Key()] = &h
		}
	}
}

func (c *Catalog) dropTrigger(key string) {
	g := c.Triggers[key]
	if g == nil {
		return
	}
	delete(c.Triggers, key)
	c.number(c.triggersOf(g))
}

// RoutineKey is the key of a procedure or a function, whose names do not count by case.
func RoutineKey(kind string, name Name) string { return kind + " " + name.folded() }

// routine runs CREATE, ALTER and DROP of procedures and functions.
func (r *reader) routine(s *script.Statement) error {
	p, c := s.Stored, r.c
	if p == nil {
		return r.errorAt(s, "this statement about a routine is not understood; write it as %s takes it", c.Server.Name())
	}
	kind := strings.ToLower(p.What)
	name := c.named(p.Name.Database, p.Name.Name)
	key := RoutineKey(kind, name)
	old := c.Routines[key]
	switch s.Kind {
	case script.DropRoutine:
		if old == nil && !p.IfExists {
			return r.later(s, "%s %s is not there to drop", kind, name)
		}
		if old == nil {
			r.idle(r.here(), true, kind+" "+name.String()+" is not there")
		}
		delete(c.Routines, key)
		return errCarried
	case script.AlterRoutine:
		if old == nil {
			return r.later(s, "%s %s is altered and is not there", kind, name)
		}
		n := *old
		n.Canon += " alter " + r.bodyCanon(p.Head)
		n.alters = append(slices.Clone(old.alters), strings.TrimSpace(s.SQL))
		c.Routines[key] = &n
		return errCarried
	}
	if problem := nameProblem(kind, name.Name); problem != "" {
		return r.errorAt(s, "the name %q of a %s %s, which %s refuses; give it another", name.Name, kind, problem, c.Server.Name())
	}
	if old != nil && p.IfNotExists {
		r.idleMade(r.here(), kind, name)
		return nil
	}
	if old != nil && !p.OrReplace {
		return r.errorAt(s, "%s %s is there already; drop it first, or give this one another name", kind, name)
	}
	canon := r.headCanon(p.Head, name.Database) + " " + r.bodyCanon(p.Body)
	c.Routines[key] = &Routine{Kind: kind, Name: name, Definer: canonDefiner(p.Definer), Canon: canon, made: canon,
		Mode: r.programMode(kind, name), Words: script.Words(p.Head + " " + p.Body), Text: strings.TrimSpace(s.SQL), Pos: s.Pos(0)}
	return errCarried
}

// event runs CREATE, ALTER and DROP EVENT.
func (r *reader) event(s *script.Statement) error {
	p, c := s.Stored, r.c
	if p == nil {
		return r.errorAt(s, "this statement about an event is not understood; write it as %s takes it", c.Server.Name())
	}
	name := c.named(p.Name.Database, p.Name.Name)
	key := name.folded()
	old := c.Events[key]
	switch s.Kind {
	case script.DropEvent:
		if old == nil && !p.IfExists {
			return r.later(s, "event %s is not there to drop", name)
		}
		if old == nil {
			r.idle(r.here(), true, "event "+name.String()+" is not there")
		}
		delete(c.Events, key)
		return errCarried
	case script.AlterEvent:
		if old == nil {
			return r.later(s, "event %s is altered and is not there", name)
		}
		n := *old
		if p.Definer != "" {
			n.Definer = canonDefiner(p.Definer)
		}
		n.Mode = r.programMode("event", name) // ALTER EVENT takes that of its own session ("ALTER EVENT Statement")
		n.alters = slices.Clone(old.alters)
		text := strings.TrimSpace(s.SQL)
		if p.NewName.Name != "" { // as if it had that name from the beginning
			n.Name = c.named(p.NewName.Database, p.NewName.Name)
			n.Text = renamed(n.Text, "EVENT", n.Name)
			for i, a := range n.alters {
				n.alters[i] = renamed(a, "EVENT", n.Name)
			}
			text = alterEvent(n.Name, p)
			delete(c.Events, key)
			if c.Events[n.Name.folded()] != nil {
				return r.errorAt(s, "event %s is there already; rename that first, or drop it", n.Name)
			}
		}
		if said := strings.TrimSpace(r.bodyCanon(p.Head + " " + p.Body)); said != "" {
			n.Canon += " alter " + said
			n.alters = append(n.alters, text)
		} else if p.Definer != "" {
			return r.errorAt(s, "event %s gets another name and another definer, and is not altered besides, which is not understood; write its definer in its CREATE EVENT", name)
		}
		c.Events[n.Name.folded()] = &n
		return errCarried
	}
	if problem := nameProblem("event", name.Name); problem != "" {
		return r.errorAt(s, "the name %q of an event %s, which %s refuses; give it another", name.Name, problem, c.Server.Name())
	}
	if old != nil && p.IfNotExists {
		r.idleMade(r.here(), "event", name)
		return nil
	}
	if old != nil && !p.OrReplace {
		return r.errorAt(s, "event %s is there already; drop it first, or give this one another name", name)
	}
	canon := r.bodyCanon(p.Head) + " " + r.bodyCanon(p.Body)
	c.Events[key] = &Event{Name: name, Definer: canonDefiner(p.Definer), Canon: canon, made: canon, Mode: r.programMode("event", name), Words: script.Words(p.Body),
		Text: strings.TrimSpace(s.SQL), Pos: s.Pos(0)}
	return errCarried
}

// alterEvent writes what alters an event without its RENAME TO.
func alterEvent(name Name, p *script.Stored) string {
	text := "ALTER "
	if p.Definer != "" {
		text += "DEFINER=" + p.Definer + " "
	}
	text += "EVENT " + name.SQL()
	if p.Head != "" {
		text += " " + p.Head
	}
	if p.Body != "" {
		text += " DO " + p.Body
	}
	return text
}

// renamed writes another name into the statement that makes something.
func renamed(text, what string, to Name) string {
	list := script.Solid(text)
	i := slices.IndexFunc(list, func(t script.Token) bool { return t.Is(text, what) }) + 1
	if list[i].Is(text, "IF") {
		i += 3 // NOT EXISTS
	}
	end := list[i].End
	if i+2 < len(list) && list[i+1].Is(text, ".") {
		end = list[i+2].End
	}
	return text[:list[i].Start] + to.SQL() + text[end:]
}
