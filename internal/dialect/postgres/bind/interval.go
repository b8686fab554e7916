package bind

import (
	"fmt"
	"strconv"
	"strings"
)

// span is an interval in the three parts that the server keeps.
type span struct {
	months, days int64
	micros       int64
}

const (
	perSecond = 1_000_000
	perDay    = 24 * 3600 * perSecond
)

// units are the words of an interval that are whole months, days or microseconds; what they may be shortened to besides.
var units = map[string]span{
	"millennium": {months: 12000}, "millennia": {months: 12000}, "century": {months: 1200}, "centuries": {months: 1200},
	"decade": {months: 120}, "year": {months: 12}, "y": {months: 12}, "yr": {months: 12}, "month": {months: 1}, "mon": {months: 1},
	"week": {days: 7}, "w": {days: 7}, "day": {days: 1}, "d": {days: 1},
	"hour": {micros: 3600 * perSecond}, "h": {micros: 3600 * perSecond}, "hr": {micros: 3600 * perSecond},
	"minute": {micros: 60 * perSecond}, "m": {micros: 60 * perSecond}, "min": {micros: 60 * perSecond},
	"second": {micros: perSecond}, "s": {micros: perSecond}, "sec": {micros: perSecond},
	"millisecond": {micros: 1000}, "msec": {micros: 1000}, "ms": {micros: 1000}, "microsecond": {micros: 1}, "us": {micros: 1}, "usec": {micros: 1},
}

// duration gives the text of an interval as the server prints it, where it is read easily: numbers with units, and a time. Anything
// else stays as it is.
func duration(s string) string {
	d, ok := parseDuration(strings.Fields(strings.ToLower(s)), "second")
	if !ok {
		return s
	}
	return d.String()
}

// smallestField gives the last field that an interval type names: minute of "interval hour to minute".
func smallestField(full string) string {
	full, _, _ = strings.Cut(full, "(")
	fields := strings.Fields(full)
	if len(fields) < 2 {
		return "second"
	}
	return fields[len(fields)-1]
}

// cut drops what is smaller than a unit.
func (d span) cut(unit string) span {
	switch u := units[unit]; {
	case unit == "second":
	case u.micros != 0:
		d.micros -= d.micros % u.micros
	case u.days != 0:
		d.micros = 0
	default:
		d = span{months: d.months - d.months%u.months}
	}
	return d
}

// parseDuration reads an interval; a number without a unit is of the one given.
func parseDuration(words []string, unit string) (span, bool) {
	var d span
	if len(words) == 0 {
		return d, false
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if strings.Contains(w, ":") {
			micros, ok := parseClock(w)
			if !ok || i != len(words)-1 {
				return d, false
			}
			d.micros += micros
			continue
		}
		if years, months, ok := strings.Cut(w, "-"); ok && years != "" { // 1-2 is a year and two months
			if !d.add(years, "year") || !d.add(months, "month") {
				return d, false
			}
			continue
		}
		end := strings.LastIndexAny(w, "0123456789.") + 1
		number, word := w[:end], w[end:]
		if word == "" && i+1 < len(words) {
			i++
			word = words[i]
		} else if word == "" {
			word = unit
		}
		if !d.add(number, word) {
			return d, false
		}
	}
	return d, true
}

// add adds a number of a unit.
func (d *span) add(number, word string) bool {
	u, ok := units[word]
	if !ok {
		if u, ok = units[strings.TrimSuffix(word, "s")]; !ok {
			return false
		}
	}
	if strings.Contains(number, ".") { // fractions spill over into smaller units; only those of seconds are simple
		if u.micros != perSecond {
			return false
		}
		f, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return false
		}
		d.micros += int64(f*perSecond + 0.5)
		return f >= 0
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return false
	}
	d.months += n * u.months
	d.days += n * u.days
	d.micros += n * u.micros
	return true
}

// parseClock reads hours:minutes or hours:minutes:seconds.
func parseClock(s string) (int64, bool) {
	negative := strings.HasPrefix(s, "-")
	parts := strings.Split(strings.TrimLeft(s, "+-"), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	var total int64
	for i, p := range parts {
		whole, fraction, dotted := strings.Cut(p, ".")
		n, err := strconv.ParseUint(whole, 10, 31)
		if err != nil || i > 0 && n > 59 || dotted && (i != 2 || len(fraction) > 6 || fraction == "") {
			return 0, false
		}
		total += int64(n) * []int64{3600, 60, 1}[i] * perSecond
		if dotted {
			micros, err := strconv.ParseUint((fraction + "000000")[:6], 10, 31)
			if err != nil {
				return 0, false
			}
			total += int64(micros)
		}
	}
	if negative {
		total = -total
	}
	return total, true
}

// String prints an interval in the style "postgres": 1 year 2 mons 3 days 04:05:06.
func (d span) String() string {
	var parts []string
	unit := func(n int64, word string) {
		if n == 0 {
			return
		}
		if n != 1 {
			word += "s"
		}
		sign := ""
		if n > 0 && len(parts) > 0 && strings.HasPrefix(parts[len(parts)-1], "-") {
			sign = "+"
		}
		parts = append(parts, fmt.Sprintf("%s%d %s", sign, n, word))
	}
	unit(d.months/12, "year")
	unit(d.months%12, "mon")
	unit(d.days, "day")
	if d.micros != 0 || len(parts) == 0 {
		sign := ""
		micros := d.micros
		switch {
		case micros < 0:
			sign, micros = "-", -micros
		case len(parts) > 0 && strings.HasPrefix(parts[len(parts)-1], "-"):
			sign = "+"
		}
		parts = append(parts, sign+clock(micros))
	}
	return strings.Join(parts, " ")
}

// clock prints a time, without a fraction that is none.
func clock(micros int64) string {
	s := micros / perSecond
	text := fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
	if f := micros % perSecond; f != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", f), "0")
	}
	return text
}
