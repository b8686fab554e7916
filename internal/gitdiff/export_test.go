package gitdiff

// LimitObjects lowers the size limit, so that a test need not write 64 MiB.
func (r *Repo) LimitObjects(bytes int64) { r.objects.limit = bytes }
