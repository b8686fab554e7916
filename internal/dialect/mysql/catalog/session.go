package catalog

// session is what SET and USE have said so far.
type session struct{}
