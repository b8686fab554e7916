package catalog

import (
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// createFunction makes a function or a procedure, or gives one another body.
func (c *Catalog) createFunction(s *script.Statement, n *pg.CreateFunctionStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, kindOfRoutine(n.IsProcedure))))
	schemaName, plain := apart(n.Funcname)
	name, err := c.created(o, schemaName, plain)
	if err != nil {
		return err
	}
	f := &Function{Name: name, Kind: strings.ToLower(kindOfRoutine(n.IsProcedure)), Volatility: "volatile", Parallel: "unsafe", SQLBody: n.SqlBody, Settings: map[string]string{}, Origin: o}
	for _, p := range n.Parameters {
		f.Args = append(f.Args, c.argument(s, p.GetFunctionParameter()))
	}
	if n.ReturnType != nil {
		f.SetOf = n.ReturnType.Setof
		f.Table = slices.ContainsFunc(f.Args, func(a *Argument) bool { return a.Mode == "table" })
		if !f.Table {
			t := c.typeRef(s, n.ReturnType)
			f.Returns = &t
		}
	}
	for _, d := range n.Options {
		if err := c.functionOption(s, f, d.GetDefElem()); err != nil {
			return err
		}
	}
	if f.Language == "" && f.SQLBody != nil {
		f.Language = "sql"
	}
	if f.Language == "" {
		return c.errorf(o, schema.KindSchema, "%s %s names no language; add LANGUAGE", f.Kind, name)
	}
	f.settle()
	if f.ID, err = c.functionID(o, f); err != nil {
		return err
	}
	return c.putFunction(f, n.Replace)
}

func kindOfRoutine(procedure bool) string {
	if procedure {
		return "PROCEDURE"
	}
	return "FUNCTION"
}

// putFunction takes a function in, in the place of one with the same arguments if that may be.
func (c *Catalog) putFunction(f *Function, replace bool) error {
	old := c.Functions[f.ID]
	if old == nil {
		c.Functions[f.ID] = f
		return nil
	}
	if !replace {
		return c.duplicate(f.Origin, f.Kind, f.ID, old.Origin)
	}
	if err := c.replaceable(old, f); err != nil {
		return err
	}
	f.Owner = old.Owner
	c.Functions[f.ID] = f
	return nil
}

// replaceable tells what CREATE OR REPLACE cannot change of a function, as the server does.
func (c *Catalog) replaceable(old, f *Function) error {
	refuse := func(what string) error {
		return c.errorf(f.Origin, schema.KindSchema, "CREATE OR REPLACE cannot change %s of %s %s, which is at %s; drop that first", what, old.Kind, old.ID, old.Pos())
	}
	if old.Kind != f.Kind {
		return refuse("the kind")
	}
	if c.resultKey(old) != c.resultKey(f) {
		return refuse("the return type")
	}
	before, after := old.inputs(), f.inputs()
	for i := range before {
		if before[i].Name != "" && before[i].Name != after[i].Name {
			return refuse("the name of argument " + before[i].Name)
		}
		if before[i].Default != nil && after[i].Default == nil {
			return refuse("that argument " + strconv.Itoa(i+1) + " has a default")
		}
	}
	return nil
}

// resultKey gives what a function returns in one form.
func (c *Catalog) resultKey(f *Function) string {
	var columns []string
	for _, a := range f.Args {
		if a.Mode == "out" || a.Mode == "inout" || a.Mode == "table" {
			columns = append(columns, script.Quote(a.Name)+" "+c.TypeKey(a.Type))
		}
	}
	set := ""
	if f.SetOf {
		set = "setof "
	}
	switch {
	case len(columns) > 1:
		return set + "(" + strings.Join(columns, ", ") + ")"
	case len(columns) == 1:
		_, only, _ := strings.Cut(columns[0], " ")
		return set + only
	case f.Returns != nil:
		return set + c.TypeKey(*f.Returns)
	}
	return ""
}

// inputs gives the arguments that a call names, which are those that tell functions of one name apart.
func (f *Function) inputs() []*Argument {
	var list []*Argument
	for _, a := range f.Args {
		if a.Mode != "out" && a.Mode != "table" {
			list = append(list, a)
		}
	}
	return list
}

// argument reads a parameter.
func (c *Catalog) argument(s *script.Statement, p *pg.FunctionParameter) *Argument {
	a := &Argument{Name: p.Name, Mode: "in", Type: c.typeRef(s, p.ArgType)}
	switch p.Mode {
	case pg.FunctionParameterMode_FUNC_PARAM_OUT:
		a.Mode = "out"
	case pg.FunctionParameterMode_FUNC_PARAM_INOUT:
		a.Mode = "inout"
	case pg.FunctionParameterMode_FUNC_PARAM_VARIADIC:
		a.Mode = "variadic"
	case pg.FunctionParameterMode_FUNC_PARAM_TABLE:
		a.Mode = "table"
	}
	if p.Defexpr != nil {
		from, word := int(p.ArgType.GetLocation()), "DEFAULT"
		if behindLast(s, from, firstLocation(p.Defexpr), word) < 0 {
			word = "="
		}
		a.Default = c.exprBehind(s, from, p.Defexpr, word)
	}
	return a
}

// functionID gives the name of a function with the types of its input arguments. It waits for types that are not there yet.
func (c *Catalog) functionID(o Origin, f *Function) (string, error) {
	var types []string
	for _, a := range f.inputs() {
		key, err := c.knownType(o, a.Type)
		if err != nil {
			return "", err
		}
		types = append(types, key)
	}
	return routineID(f.Name, f.Kind, types), nil
}

func routineID(name Name, kind string, types []string) string {
	if kind == "aggregate" && len(types) == 0 {
		return name.String() + "(*)"
	}
	return name.String() + "(" + strings.Join(types, ", ") + ")"
}

// functionOption takes one of the clauses of CREATE or ALTER FUNCTION in.
func (c *Catalog) functionOption(s *script.Statement, f *Function, d *pg.DefElem) error {
	value, on := word(d.Arg), d.Arg.GetBoolean().GetBoolval()
	switch d.Defname {
	case "language":
		f.Language = value
	case "volatility":
		f.Volatility = value
	case "strict":
		f.Strict = on
	case "security":
		f.SecurityDefiner = on
	case "leakproof":
		f.Leakproof = on
	case "window":
		f.Window = on
	case "parallel":
		f.Parallel = value
	case "cost":
		f.Cost = number(value)
	case "rows":
		f.Rows = number(value)
	case "support":
		f.Support = strings.Join(words(d.Arg.GetList().GetItems()), ".")
	case "transform":
		for _, t := range d.Arg.GetList().GetItems() {
			f.Transforms = append(f.Transforms, c.TypeKey(c.typeRef(s, t.GetTypeName())))
		}
	case "as":
		list := words(d.Arg.GetList().GetItems())
		f.Body = list[0]
		if len(list) > 1 {
			f.Symbol = list[1]
		}
	case "set":
		return c.functionSetting(s, f, d)
	default:
		return c.errorf(c.origin(s, int(d.Location)), schema.KindUnsupported, "the clause %s of %s %s is not understood; take it out, or report it", d.Defname, f.Kind, f.Name)
	}
	return nil
}

// settle leaves out what is the default, so that saying it makes no difference.
func (f *Function) settle() {
	usual := "100"
	if f.Language == "c" || f.Language == "internal" {
		usual = "1"
	}
	if f.Cost == usual {
		f.Cost = ""
	}
	if f.Rows == "1000" {
		f.Rows = ""
	}
}

// functionSetting takes a SET or RESET clause in.
func (c *Catalog) functionSetting(s *script.Statement, f *Function, d *pg.DefElem) error {
	set := d.Arg.GetVariableSetStmt()
	name := strings.ToLower(set.GetName())
	switch set.GetKind() {
	case pg.VariableSetKind_VAR_SET_VALUE:
		value, ok := settingValue(name, set.Args)
		if !ok {
			break
		}
		f.Settings[name] = value
		return nil
	case pg.VariableSetKind_VAR_SET_DEFAULT, pg.VariableSetKind_VAR_RESET:
		delete(f.Settings, name)
		return nil
	case pg.VariableSetKind_VAR_RESET_ALL:
		f.Settings = map[string]string{}
		return nil
	}
	return c.errorf(c.origin(s, int(d.Location)), schema.KindUnsupported, "what %s %s sets %s to is not known from its text; write SET %s TO with a value", f.Kind, f.Name, set.GetName(), set.GetName())
}

// quoted are the settings whose value is a list of names, which the server keeps with quotes where a name needs them.
var quoted = map[string]bool{
	"search_path": true, "temp_tablespaces": true, "local_preload_libraries": true, "session_preload_libraries": true,
	"shared_preload_libraries": true, "unix_socket_directories": true,
}

// settingValue writes a value as pg_proc.proconfig holds it.
func settingValue(name string, args []*pg.Node) (string, bool) {
	var list []string
	for _, a := range args {
		if a.GetAConst() == nil {
			return "", false
		}
		value := word(a)
		if quoted[name] {
			value = script.Quote(value)
		}
		list = append(list, value)
	}
	return strings.Join(list, ", "), true
}

// number writes a number in one form.
func number(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 32)
}

// alterFunction changes what ALTER FUNCTION names.
func (c *Catalog) alterFunction(s *script.Statement, n *pg.AlterFunctionStmt) error {
	f, err := c.function(c.origin(s, 0), n.Objtype, n.Func)
	if err != nil {
		return err
	}
	for _, d := range n.Actions {
		if err := c.functionOption(s, f, d.GetDefElem()); err != nil {
			return err
		}
	}
	f.settle()
	f.Altered = true
	return nil
}

// function finds a function, procedure or aggregate by the name and the arguments a statement gives. It waits for one that is not
// there.
func (c *Catalog) function(o Origin, kind pg.ObjectType, n *pg.ObjectWithArgs) (*Function, error) {
	schemaName, name := apart(n.Objname)
	what := KindWord(kind)
	if n.ArgsUnspecified {
		return c.onlyFunction(o, what, schemaName, name)
	}
	var types []string
	for _, a := range n.Objargs {
		types = append(types, c.typeAt(o, a.GetTypeName()))
	}
	for _, path := range c.schemasOf(o, schemaName) {
		for _, k := range []string{"function", "aggregate"} {
			if f := c.Functions[routineID(Name{path, name}, k, types)]; f != nil && f.is(what) {
				return f, nil
			}
		}
	}
	// A procedure may also be named by all its arguments, as PostgreSQL before version 14 told procedures apart.
	if what == "procedure" || what == "routine" {
		for _, path := range c.schemasOf(o, schemaName) {
			if f := c.procedureByAll(Name{path, name}, types); f != nil {
				return f, nil
			}
		}
	}
	return nil, c.missing(o, "%s %s(%s) is not there; create it, or correct the name and the types of its arguments", what, dotted(schemaName, name), strings.Join(types, ", "))
}

// is tells whether a word of ALTER, GRANT or COMMENT ON can mean it. An aggregate is a function too.
func (f *Function) is(what string) bool {
	return what == "routine" || what == f.Kind || (what == "function" && f.Kind == "aggregate")
}

func (c *Catalog) onlyFunction(o Origin, what, schemaName, name string) (*Function, error) {
	var found []*Function
	for _, path := range c.schemasOf(o, schemaName) {
		for _, id := range sorted(c.Functions) {
			if f := c.Functions[id]; f.Name == (Name{path, name}) && f.is(what) {
				found = append(found, f)
			}
		}
	}
	switch len(found) {
	case 0:
		return nil, c.missing(o, "%s %s is not there; create it, or correct the name", what, dotted(schemaName, name))
	case 1:
		return found[0], nil
	}
	return nil, c.errorf(o, schema.KindSchema, "%s %s is not unique: there are %s and %s; add the types of its arguments", what, dotted(schemaName, name), found[0].ID, found[1].ID)
}

func (c *Catalog) procedureByAll(name Name, types []string) *Function {
	for _, id := range sorted(c.Functions) {
		f := c.Functions[id]
		if f.Name != name || f.Kind != "procedure" {
			continue
		}
		var all []string
		for _, a := range f.Args {
			all = append(all, c.TypeKey(a.Type))
		}
		if slices.Equal(all, types) {
			return f
		}
	}
	return nil
}

// schemasOf gives the schemas in which a name is looked for: the one that is written, or the search path.
func (c *Catalog) schemasOf(o Origin, schemaName string) []string {
	if schemaName != "" {
		return []string{schemaName}
	}
	return o.Path
}

// renameSignatures puts what is known by the types of its arguments under its keys anew, after a type got another name.
func (c *Catalog) renameSignatures() {
	for _, id := range sorted(c.Functions) {
		f := c.Functions[id]
		if now, err := c.functionID(f.Origin, f); err == nil && now != id {
			c.moveFunction(f, now)
		}
	}
	c.eachObject(func(x *Object) {
		if kind, name, ok := c.signature(x); ok && x.Key != kind+" "+name {
			c.follow(kind, strings.TrimPrefix(x.Key, kind+" "), name)
			delete(c.Others, [2]string{x.Kind, x.Key})
			x.Key = kind + " " + name
			c.Others[[2]string{x.Kind, x.Key}] = x
		}
	})
}

// moveFunction gives a function another ID; what is about it goes with it.
func (c *Catalog) moveFunction(f *Function, id string) {
	delete(c.Functions, f.ID)
	c.follow(f.Kind, f.ID, id)
	for _, x := range c.Others {
		if x.Kind == "event_trigger" && x.Props[propFunction] == f.ID {
			x.Props[propFunction] = id
		}
	}
	f.ID = id
	c.Functions[id] = f
}

// createAggregate makes an aggregate.
func (c *Catalog) createAggregate(s *script.Statement, n *pg.DefineStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "AGGREGATE")))
	schemaName, plain := apart(n.Defnames)
	name, err := c.created(o, schemaName, plain)
	if err != nil {
		return err
	}
	f := &Function{Name: name, Kind: "aggregate", Volatility: "immutable", Parallel: "unsafe", Settings: map[string]string{}, Definition: defElems(n.Definition), Origin: o}
	if len(n.Args) > 0 {
		for _, p := range n.Args[0].GetList().GetItems() {
			f.Args = append(f.Args, c.argument(s, p.GetFunctionParameter()))
		}
	}
	final := false
	for _, d := range defElems(n.Definition) {
		switch d.Defname {
		case "basetype": // the old form names the argument in the definition, and any for *
			if t := d.Arg.GetTypeName(); n.Oldstyle && !strings.EqualFold(word(d.Arg), "any") {
				f.Args = append(f.Args, &Argument{Mode: "in", Type: c.typeRef(s, t)})
			}
		case "stype", "stype1":
			if t := d.Arg.GetTypeName(); t != nil {
				returns := c.typeRef(s, t)
				f.Returns = &returns
			}
		case "finalfunc":
			final = true
		case "parallel":
			f.Parallel = word(d.Arg)
		}
	}
	if final { // it returns what the final function does, which may come later
		f.Returns = nil
	}
	if f.ID, err = c.functionID(o, f); err != nil {
		return err
	}
	return c.putFunction(f, n.Replace)
}

func defElems(nodes []*pg.Node) []*pg.DefElem {
	var list []*pg.DefElem
	for _, n := range nodes {
		list = append(list, n.GetDefElem())
	}
	return list
}
