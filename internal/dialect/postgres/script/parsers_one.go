//go:build !pgquery_cgo

package script

// maxParsers is how many statements may be parsed at once. Each parser in WebAssembly is compiled anew, for more than a second
// and in 250 MiB; a second one would never earn that.
const maxParsers = 1
