package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// moments say which dates and times are values of their types. What servers take in one sql_mode and refuse in another is taken: zeros in
// place of a month or a day.
type moments struct {
	invalid bool      // ALLOW_INVALID_DATES: a month may have 31 days
	latest  time.Time // that a TIMESTAMP holds, in UTC
}

// latestTimestamp is the last moment that a TIMESTAMP holds ("The DATE, DATETIME, and TIMESTAMP Types", MySQL's manual; "TIMESTAMP",
// MariaDB's: later from 11.5 on).
func (c *Catalog) latestTimestamp() time.Time {
	if c.reads.Maria(11, 5, 0) {
		return time.Unix(1<<32-1, 0)
	}
	return time.Unix(1<<31-1, 0)
}

// zones are how far from UTC a session can be ("MySQL Server Time Zone Support", MySQL's manual).
const zones = 14 * time.Hour

// moment is a date and a time of the day in numbers.
type moment struct{ year, month, day, hour, minute, second int }

// String writes it as the servers do.
func (m moment) String() string {
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", m.year, m.month, m.day, m.hour, m.minute, m.second)
}

// takes tells whether a column takes a literal. A form that is not known here is taken.
func (v moments) takes(t *Type, l *literal, text string) bool {
	switch {
	case text == "", strings.HasPrefix(text, "-") && t.Base != "time":
		return false
	case l.kind != tokenString && l.kind != tokenNumber:
		return true
	case t.Base == "time" && !strings.ContainsAny(strings.TrimLeft(text, "+-"), "-/T") && !longNumber(text):
		return takesTime(text, l.kind == tokenNumber)
	}
	m, known, ok := readMoment(text, l.kind == tokenNumber)
	if !ok || !known {
		return ok
	}
	return v.has(t, m)
}

// longNumber tells whether digits are so many that they begin with a date.
func longNumber(text string) bool {
	whole, _, _ := strings.Cut(text, ".")
	return len(whole) >= 12 && onlyDigits(whole)
}

func onlyDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// has tells whether there is such a moment.
func (v moments) has(t *Type, m moment) bool {
	if m.month > 12 || m.day > 31 || m.hour > 23 || m.minute > 59 || m.second > 59 {
		return false
	}
	zero := m.month == 0 || m.day == 0
	stamp := t.Base == "timestamp"
	if stamp && zero {
		return m == moment{}
	}
	date := time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, 0, time.UTC)
	// The year 0 has no 29th of February to the servers.
	if !zero && (stamp || !v.invalid) && (date.Day() != m.day || m.year == 0 && m.month == 2 && m.day == 29) {
		return false
	}
	return !stamp || date.Add(zones).After(time.Unix(0, 0)) && !date.Add(-zones).After(v.latest)
}

// readMoment reads a date, with or without a time of the day ("Date and Time Literals", MySQL's manual). known is false of forms that are
// taken and not read; ok is false of what is no date at all.
func readMoment(text string, number bool) (m moment, known, ok bool) {
	if number {
		return numberMoment(text)
	}
	whole, rest := text, ""
	if i := strings.IndexFunc(text, func(c rune) bool { return c < '0' || c > '9' }); i >= 0 {
		whole, rest = text[:i], text[i:]
	}
	switch {
	case whole == "":
		return m, false, false
	case rest == "" || rest[0] == '.' && onlyDigits(rest[1:]) && len(whole) > 4:
		return digitMoment(whole)
	case rest[0] == 'T' && len(whole) == 8 && len(rest) == 7 && onlyDigits(rest[1:]):
		return digitMoment(whole + rest[1:])
	case rest[0] == 'T':
		return m, false, true
	}
	return splitMoment(text)
}

// numberMoment reads a number: YYMMDD or YYYYMMDD, with hhmmss or without.
func numberMoment(text string) (m moment, known, ok bool) {
	whole, _, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return m, false, !onlyDigits(whole) // 1e7
	}
	switch {
	case n == 0:
		return m, true, true
	case n < 101:
		return m, false, false
	case n <= 691231:
		n += 20000000
	case n < 700101:
		return m, false, false
	case n <= 991231:
		n += 19000000
	case n < 10000101:
		return m, false, false
	}
	if n <= 99991231 {
		n *= 1000000
	}
	switch {
	case n < 101000000 || n > 99991231235959:
		return m, false, false
	case n <= 691231235959:
		n += 20000000000000
	case n < 700101000000:
		return m, false, false
	case n <= 991231235959:
		n += 19000000000000
	}
	d := func(by int64, of int64) int { return int(n / by % of) }
	return moment{d(1e10, 1e4), d(1e8, 100), d(1e6, 100), d(1e4, 100), d(100, 100), d(1, 100)}, true, true
}

// digitMoment reads digits without anything between them.
func digitMoment(digits string) (m moment, known, ok bool) {
	if len(digits) < 5 || len(digits) > 14 {
		return m, false, false
	}
	switch len(digits) {
	case 6, 10, 12:
		digits = century(digits[:2]) + digits[2:]
	case 8, 14:
	default:
		return m, false, true
	}
	digits += "000000"
	n, _ := strconv.ParseInt(digits[:14], 10, 64)
	d := func(by int64, of int64) int { return int(n / by % of) }
	return moment{d(1e10, 1e4), d(1e8, 100), d(1e6, 100), d(1e4, 100), d(100, 100), d(1, 100)}, true, true
}

// splitMoment reads numbers with signs between them: three for the date, and up to three for the time of the day.
func splitMoment(text string) (m moment, known, ok bool) {
	clock := ""
	if i := strings.IndexAny(text, " T"); i >= 0 {
		text, clock = text[:i], strings.TrimSpace(text[i+1:])
	}
	date := strings.FieldsFunc(text, func(c rune) bool { return c < '0' || c > '9' })
	if strings.ContainsFunc(text+clock, isLetter) || len(date) < 3 {
		return m, false, false
	}
	if len(date) > 3 {
		return m, false, true // a sign between the date and the time
	}
	clock, _, _ = strings.Cut(clock, "+") // MySQL takes an offset from UTC behind it
	times := strings.FieldsFunc(clock, func(c rune) bool { return c < '0' || c > '9' })
	numbers := make([]int, 6)
	for i, s := range append(date, times...) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return m, false, false
		}
		if i < len(numbers) {
			numbers[i] = n
		}
	}
	if len(date[0]) == 2 {
		numbers[0], _ = strconv.Atoi(century(date[0]))
	}
	if numbers[0] > 9999 {
		return m, false, false
	}
	return moment{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]}, true, true
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// takesTime tells whether a TIME takes a text or a number: hours up to 838, and minutes and seconds up to 59 ("The TIME Type", MySQL's manual).
func takesTime(text string, number bool) bool {
	text = strings.TrimSpace(strings.TrimLeft(text, "+-"))
	days := ""
	if d, rest, ok := strings.Cut(text, " "); ok {
		days, text = d, strings.TrimSpace(rest)
	}
	text, _, _ = strings.Cut(text, ".")
	parts := strings.Split(text, ":")
	if len(parts) == 1 && days == "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return number && strings.ContainsFunc(text, isLetter) // 1e3
		}
		return n/10000 <= 838 && n/100%100 <= 59 && n%100 <= 59
	}
	if len(parts) > 3 {
		return false
	}
	numbers := [3]int{}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil {
			return false
		}
		numbers[i] = n
	}
	if days != "" {
		d, err := strconv.Atoi(days)
		if err != nil {
			return false
		}
		numbers[0] += 24 * d
	}
	return numbers[0] <= 838 && numbers[1] <= 59 && numbers[2] <= 59
}
