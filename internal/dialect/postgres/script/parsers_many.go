//go:build pgquery_cgo

package script

import "math"

// maxParsers is how many statements may be parsed at once. The parser in C keeps its state by thread.
const maxParsers = math.MaxInt32
