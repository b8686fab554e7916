package migration

import "github.com/altergate/altergate/internal/source"

// Fresh gives the up parts that an empty database runs, in order: a baseline in place of those before it. Migrations that are no SQL
// are not among them.
func (d *Directory) Fresh() []*source.File {
	var files []*source.File
	for _, m := range d.Migrations {
		if m.Baseline {
			files = nil
		}
		if m.Up != nil {
			files = append(files, m.Up)
		}
	}
	return files
}
