package online

import "github.com/altergate/altergate/internal/dialect/mysql/catalog"

// temporals are of dates and times. A date with zeroes in it stops the plan where sql_mode is strict and has NO_ZERO_DATE or
// NO_ZERO_IN_DATE, as MySQL's does unless told otherwise; so no date is simply kept by another type.
func temporals(f, t catalog.Type) Conversion {
	const zeroes = "a date with zeroes in it stops the plan where sql_mode has NO_ZERO_DATE"
	fraction := max(t.Decimals, 0)
	rounds := fraction < max(f.Decimals, 0)
	switch {
	case f.Base == t.Base && fraction == max(f.Decimals, 0):
		return kept("it is the same type")
	case rounds && f.Base == t.Base:
		return lossy("fractions of a second are rounded to %d digits", fraction)
	case f.Base == "time" && t.Base == "time":
		return kept("every value fits")
	case f.Base == t.Base:
		return checked("%s", zeroes)
	case f.Base == "date" && t.Base == "datetime":
		return checked("a date becomes its midnight; %s", zeroes)
	case t.Base == "date":
		return lossy("the time of day is lost")
	case t.Base == "time":
		return lossy("the date is lost")
	case t.Base == "timestamp":
		return lossy("values before 1970 and after 2038 do not fit, and others are read in the time zone of the session that runs the plan")
	case f.Base == "timestamp":
		return lossy("values are written down in the time zone of the session that runs the plan, and no longer follow the reader's")
	}
	return lossy("a time of day becomes one of the day on which the plan runs")
}
