package migration

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// State is a digest, SHA-256 in hex, of the whole texts of migrations and of where they stand. Nil stands for one that is not there.
func State(migrations ...*Migration) string {
	h := sha256.New()
	for _, m := range migrations {
		if m == nil {
			m = &Migration{}
		}
		fmt.Fprintf(h, "%q %q\n", m.Path, m.raw)
	}
	return hex.EncodeToString(h.Sum(nil))
}
