package catalog

// Begin copies the catalog as a new session finds it: the default database, sql_mode, character set and engine, and foreign keys that are
// held to their tables.
func (c *Catalog) Begin() *Catalog {
	d := c.Clone()
	d.session, d.current = session{}, ""
	clear(d.touched)
	return d
}
