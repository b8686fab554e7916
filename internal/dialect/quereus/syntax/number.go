package syntax

import (
	"math"
	"strconv"
	"strings"
)

// numberText prints a number as the engine does once it has kept its value and not its spelling: whole ones without a point, large and
// small ones with an exponent. A whole number beyond 2^53 keeps all its digits.
func numberText(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		negative := strings.HasPrefix(s, "-")
		digits := strings.TrimLeft(strings.TrimPrefix(s, "-"), "0")
		if digits == "" {
			return "0"
		}
		if negative {
			return "-" + digits
		}
		return digits
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	if f == 0 {
		return "0"
	}
	if size := math.Abs(f); size >= 1e21 || size < 1e-6 {
		t := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(t, "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
