package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"sort"
)

// Format is the word that separates identities of one format of the report from those of another.
const Format = "altergate/v1"

// identify gives a step its identity: SHA-256 (64 hex) over what it does. Every field is written with its length, so no
// two lists of fields give the same bytes.
func identify(dialect, schemaName string, s *Step) string {
	h := sha256.New()
	write := func(text string) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(text)))
		h.Write(size[:])
		h.Write([]byte(text))
	}
	for _, field := range append([]string{Format, dialect, schemaName, s.Kind, s.Object, s.Old, s.New}, s.SQL...) {
		write(field)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Digest is what an approval is bound to: SHA-256 (64 hex) over the sorted identities of steps. Their order, and everything
// outside them, does not count. Whole identities are hashed and not the IDs made of them: two steps that share 16 hex digits can
// be found by trying, and the author of a pull request has reason to.
func Digest(steps []*Step) string {
	identities := make([]string, len(steps))
	for i, s := range steps {
		identities[i] = s.Identity
	}
	sort.Strings(identities)
	h := sha256.New()
	for _, identity := range identities {
		h.Write([]byte(identity + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}
