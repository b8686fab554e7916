package catalog

import (
	"fmt"
	"strings"
)

// timeLiteral gives a date or a time as the column prints it. What is written in a form that is not known here stays as it is.
func timeLiteral(t *Type, l *literal, text string, valid moments) (string, bool) {
	text = strings.TrimSpace(text)
	if !valid.takes(t, l, text) {
		return "", false
	}
	if m, known, _ := readMoment(text, l.kind == tokenNumber); known && t.Base != "time" && !strings.Contains(text, ".") {
		text = m.String()
	}
	date, clock := "", ""
	if t.Base == "time" {
		clock = text
	} else {
		date = text
		if i := strings.IndexAny(text, " T"); i >= 0 {
			date, clock = text[:i], strings.TrimSpace(text[i+1:])
		}
		if strings.Trim(date, "0123456789") == "" {
			switch {
			case date == "0":
				date = "00000000"
			case len(date) == 14 && clock == "":
				date, clock = date[:8], date[8:10]+":"+date[10:12]+":"+date[12:]
			case len(date) == 6 && clock == "":
				date = century(date[:2]) + date[2:]
			}
			if len(date) != 8 {
				return text, len(date) == 12
			}
			date = date[:4] + "-" + date[4:6] + "-" + date[6:]
		}
		parts := strings.FieldsFunc(date, func(c rune) bool { return c < '0' || c > '9' })
		if len(parts) != 3 {
			return "", false
		}
		if len(parts[0]) == 2 {
			parts[0] = century(parts[0])
		}
		if len(parts[0]) > 4 || len(parts[1]) > 2 || len(parts[2]) > 2 || parts[1] > "12" && len(parts[1]) == 2 || parts[2] > "31" && len(parts[2]) == 2 {
			return "", false
		}
		date = fmt.Sprintf("%04s-%02s-%02s", parts[0], parts[1], parts[2])
	}
	if t.Base == "date" {
		return date, true
	}
	clock, ok := clockLiteral(clock, max(t.Decimals, 0))
	if !ok {
		return text, true
	}
	return strings.TrimSpace(date + " " + clock), true
}

func century(year string) string {
	if year < "70" {
		return "20" + year
	}
	return "19" + year
}

// clockLiteral gives hours, minutes and seconds with so many digits of a second.
func clockLiteral(text string, decimals int) (string, bool) {
	minus := strings.HasPrefix(text, "-")
	text = strings.TrimPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	parts := strings.Split(whole, ":")
	if text == "" {
		parts = []string{"0", "0", "0"}
	}
	if len(parts) == 1 {
		if len(whole) > 7 || strings.Trim(whole, "0123456789") != "" {
			return "", false
		}
		whole = strings.Repeat("0", max(0, 6-len(whole))) + whole
		seconds := len(whole) - 2
		parts = []string{whole[:seconds-2], whole[seconds-2 : seconds], whole[seconds:]}
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	if len(parts) > 3 || strings.Trim(strings.Join(parts, "")+fraction, "0123456789") != "" || len(fraction) > decimals && strings.Trim(fraction[decimals:], "0") != "" && fraction[decimals] >= '5' {
		return "", false
	}
	clock := fmt.Sprintf("%02s:%02s:%02s", parts[0], parts[1], parts[2])
	if decimals > 0 {
		clock += "." + (fraction + "000000")[:decimals]
	}
	if minus {
		clock = "-" + clock
	}
	return clock, true
}
