package catalog

// DefaultCollation gives the collation that goes with a character set where none is stated.
func (c *Catalog) DefaultCollation(charset string) string { return c.collationFor(charset) }
