package gitdiff

// LimitObjects lowers the size limit, so that a test need not write 64 MiB.
func (r *Repo) LimitObjects(bytes int64) { r.objects.limit = bytes }

// LimitObjects does the same through the API.
func (r *Remote) LimitObjects(bytes int64) { r.objects.limit = bytes }
