package online

import (
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// mariaModify says what another definition of a column takes on MariaDB.
func (a Alter) mariaModify(m ModifyColumn) fact {
	if f, ok := refusedChange(m); ok {
		return f
	}
	if m.From.Generated != nil || m.To.Generated != nil {
		return a.mariaComputed(m)
	}
	if a.defaultRead(m.From) {
		return copied("a column is computed from the default")
	}
	change := a.storageChange(m.From, m.To)
	if why := a.readOtherwise(m, change); why != "" {
		return copied(why)
	}
	f := metadata(instant, "only the definition changes")
	switch change {
	case otherDigits:
		f.why = "a number is shown in another way"
	case longer:
		f.why = "longer values are stored as the short ones are"
	case members:
		f.why = "members are added behind the others"
	case anyShape:
		f.why = "every shape is stored as before"
	case collated:
		f = f.worse(a.mariaCollated(m.From))
	case unicodeWide:
		f.why = "text is stored as before"
		if a.table().RowFormat == "REDUNDANT" && m.From.Type.Base == "char" {
			return copied("the type changes")
		}
		if a.prefixed(m.From) {
			return copied("the beginnings of values in an index take more bytes")
		}
		if !sameOrder(m.From.Type.Collation, m.To.Type.Collation) {
			f = f.worse(a.mariaCollated(m.From))
		}
	case otherBytes:
		return copied("the type changes")
	}
	if a.outgrown(m) {
		f = f.worse(fact{algorithm: noCopy, scan: true, why: "an index is built anew with the beginnings of values, which are too long for it"})
	}
	if !maps.Equal(m.From.Options, m.To.Options) {
		return copied("an option of the column changes")
	}
	if m.From.AutoIncrement != m.To.AutoIncrement && m.To.AutoIncrement {
		return copied("the column begins to number rows")
	}
	if nulls := a.nulls(m); nulls != nil {
		f = f.worse(*nulls)
	}
	if m.Moved {
		switch {
		case a.compressed(), a.survives(catalog.Fulltext), a.indexedVirtual():
			f = f.worse(rebuilt("a column moves"))
		case f.slow == nil && f.algorithm == instant:
			f = instantOr(rebuilt("a column moves"), "a column moves in the metadata")
		case f.algorithm == noCopy:
			f = f.worse(rebuilt("a column moves"))
		}
	}
	return f
}

// readOtherwise says why a change that leaves the bytes of a column as they are does not leave what was made of them; empty = it does.
func (a Alter) readOtherwise(m ModifyColumn, change storage) string {
	column := m.From.Name
	switch change {
	case otherDigits:
		if f, t := m.From.Type, m.To.Type; !f.Zerofill && !t.Zerofill && f.Decimals == t.Decimals {
			return "" // a width alone shows nothing in another way
		}
	case collated, unicodeWide:
	default:
		return "" // the values that are there are compared and shown as before
	}
	if why := a.keptFrom(column); why != "" {
		return why
	}
	ordered := change == collated || change == unicodeWide && !sameOrder(m.From.Type.Collation, m.To.Type.Collation)
	switch {
	case ordered && a.spreadBy(column):
		return "rows are spread over partitions by the column, which is compared in another way"
	case (ordered || change == otherDigits) && a.checkedBy(column):
		return "a check that reads the column is applied to every row"
	}
	return ""
}

// prefixed tells whether a key holds only the beginning of a column; to the server one of a TEXT is such.
func (a Alter) prefixed(c *catalog.Column) bool {
	return slices.ContainsFunc(a.keysOf(c.Name), func(k *catalog.Key) bool {
		return longBytes[c.Type.Base] > 0 || slices.ContainsFunc(k.Parts, func(p catalog.KeyPart) bool { return p.Prefix > 0 && strings.EqualFold(p.Column, c.Name) })
	})
}

// mariaCollated: what is in an index is in another order, so indexes are built anew; rows are stored by the primary key.
func (a Alter) mariaCollated(c *catalog.Column) fact {
	f := metadata(instant, "the collation is only a definition")
	for _, k := range a.keysOf(c.Name) {
		switch {
		case longBytes[c.Type.Base] > 0:
			return copied("the index on a " + c.Type.Base + " is built anew by a copy")
		case k == a.clustered():
			return copied("rows are stored in the order of the column")
		case k.Kind == catalog.Fulltext:
			f.algorithm, f.lock, f.scan, f.why = noCopy, shared, true, "a FULLTEXT index is built anew while writes wait"
		default:
			f.algorithm, f.scan, f.why = max(f.algorithm, noCopy), true, "the indexes on the column are built anew"
		}
	}
	return f
}

// nulls is what NOT NULL takes that comes or goes; nil = nothing.
func (a Alter) nulls(m ModifyColumn) *fact {
	var f fact
	switch {
	case m.From.NotNull == m.To.NotNull:
		return nil
	case m.To.NotNull && a.Loose:
		f = copied("sql_mode is not strict, and NULL would become a value")
	case m.To.NotNull && m.To.Type.Base == "timestamp":
		f = copied("NULL in a timestamp is the current time to the server, which it does not take in place") // 1846, "cannot convert NULL to non-constant DEFAULT"
	case m.To.NotNull && a.Server.MariaDB && (slices.ContainsFunc(a.table().Columns, stored) || a.indexedVirtual() || a.spreadByComputed()):
		f = copied("a table with a column that is computed and stored is looked through for NULL by a copy")
	case m.To.NotNull:
		f = rebuilt("every row is looked through for NULL and written again")
	case a.clustered() != nil && a.clustered().Kind == catalog.Unique && in(a.clustered(), m.From.Name):
		f = copied("rows are stored in the order of a unique key with the column, since there is no primary key")
	case a.Server.MariaDB && a.table().RowFormat == "REDUNDANT":
		return nil
	default:
		f = rebuilt("rows are written again with a place for NULL")
	}
	return &f
}

// mariaComputed is of columns that are computed, before or after.
func (a Alter) mariaComputed(m ModifyColumn) fact {
	if !virtual(m.From) || !virtual(m.To) || m.Moved || m.From.NotNull != m.To.NotNull || !maps.Equal(m.From.Options, m.To.Options) {
		return copied("a computed column changes")
	}
	switch {
	case len(a.keysOf(m.From.Name)) > 0:
		return copied("a virtual column in an index changes by a copy, whatever changes")
	case a.spreadBy(m.From.Name):
		return copied("a virtual column by which rows are spread over partitions changes by a copy, whatever changes")
	}
	change, same := a.storageChange(m.From, m.To), m.From.Generated.Expr.Canon == m.To.Generated.Expr.Canon
	switch {
	case change != sameBytes && change != longer:
		return copied("the type of a computed column changes")
	case change == sameBytes && same:
		return metadata(instant, "only the definition changes")
	}
	if why := a.keptFrom(m.From.Name); why != "" {
		return copied(why)
	}
	if a.checkedBy(m.From.Name) {
		return copied("a check that reads the column is applied to every row")
	}
	return metadata(instant, "a virtual column is stored nowhere")
}

// refusedChange is what neither server does by MODIFY: a virtual column stays one.
func refusedChange(m ModifyColumn) (fact, bool) {
	if virtual(m.From) == virtual(m.To) {
		return fact{}, false
	}
	f := copied("a computed column changes")
	f.refused = "a virtual column cannot become another kind of column, nor another a virtual one; it has to be dropped and added"
	return f, true
}

// mysqlModify says what another definition of a column takes on MySQL.
func (a Alter) mysqlModify(m ModifyColumn) fact {
	if f, ok := refusedChange(m); ok {
		return f
	}
	if m.From.Generated != nil || m.To.Generated != nil {
		if virtual(m.From) && !m.Moved && onlyWords(m.From, m.To) {
			return metadata(inPlace, "only the definition changes")
		}
		return copied("a computed column changes")
	}
	if a.defaultRead(m.From) {
		return copied("a column is computed from the default")
	}
	var f fact
	change := a.storageChange(m.From, m.To)
	if why := a.keptFrom(m.From.Name); why != "" && change != sameBytes { // the manual is silent
		return copied(why)
	}
	switch change {
	case sameBytes:
		f = metadata(inPlace, "only the definition changes")
		if onlyDefault(m.From, m.To) {
			f.algorithm = a.since(8, 0, 12)
		}
	case otherDigits:
		if a.checkedBy(m.From.Name) || m.From.Type.Zerofill != m.To.Type.Zerofill || m.From.Type.Decimals != m.To.Type.Decimals {
			return copied("the type changes")
		}
		f = metadata(inPlace, "a number is shown in another way")
	case longer:
		f = metadata(inPlace, "longer values are stored as the short ones are")
	case members:
		f = metadata(a.since(8, 0, 12), "members are added behind the others")
		if !onlyDefault(m.From, m.To) {
			f.algorithm = inPlace
		}
	default:
		return copied("the type changes")
	}
	switch {
	case !maps.Equal(m.From.Options, m.To.Options), m.From.SRID != m.To.SRID:
		return copied("an option of the column changes")
	case !m.From.AutoIncrement && m.To.AutoIncrement:
		return copied("the column begins to number rows")
	case m.From.AutoIncrement != m.To.AutoIncrement:
		f.algorithm = max(f.algorithm, inPlace)
	}
	if nulls := a.nulls(m); nulls != nil {
		f = f.worse(*nulls)
	}
	if m.Moved {
		f = f.worse(rebuilt("a column moves"))
	}
	return f
}

// onlyWords tells whether nothing but a default, a comment, the visibility and what is set on update changes.
func onlyWords(from, to *catalog.Column) bool {
	return from.NotNull == to.NotNull && from.AutoIncrement == to.AutoIncrement && from.SRID == to.SRID && maps.Equal(from.Options, to.Options) &&
		(from.Generated == nil) == (to.Generated == nil) && (from.Generated == nil || from.Generated.Expr.Canon == to.Generated.Expr.Canon && from.Generated.Stored == to.Generated.Stored) &&
		(Alter{}).storageChange(from, to) == sameBytes
}

// onlyDefault tells whether nothing but a default changes beside the type.
func onlyDefault(from, to *catalog.Column) bool {
	return from.NotNull == to.NotNull && from.Comment == to.Comment && from.Invisible == to.Invisible && from.OnUpdate == to.OnUpdate &&
		from.AutoIncrement == to.AutoIncrement && from.SRID == to.SRID && maps.Equal(from.Options, to.Options)
}
