package comment

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Mark is what the hidden last line of our comment says: whose it is, and which run wrote it. It is worth something only in a
// comment that we ourselves wrote; anyone can type one.
type Mark struct {
	Key     string // from KeyOf
	Head    string // SHA of the commit that was evaluated
	Run     int64
	Attempt int
	Began   int64 // ID of the status with which the run began; 0: it could not post one
}

// KeyOf gives the key of a status context, so that two gates of one repository each keep their own comment.
func KeyOf(context string) string {
	sum := sha256.Sum256([]byte(context))
	return hex.EncodeToString(sum[:8])
}

var markLine = regexp.MustCompile(`^<!-- altergate key=([0-9a-f]{16}) head=([0-9a-f]{0,64}) run=([0-9]+)\.([0-9]+)(?: began=([0-9]+))? -->$`)

// Marker gives the line, in which every value is made of [0-9a-f.]: it cannot be closed from within.
func Marker(m Mark) string {
	began := ""
	if m.Began != 0 {
		began = fmt.Sprintf(" began=%d", m.Began)
	}
	return fmt.Sprintf("<!-- altergate key=%s head=%s run=%d.%d%s -->", onlyHex(m.Key), onlyHex(m.Head), m.Run, m.Attempt, began)
}

// ParseMarker reads the mark of a body whose last line it is, exactly.
func ParseMarker(body string) (Mark, bool) {
	body = strings.TrimRight(body, "\r\n")
	parts := markLine.FindStringSubmatch(body[strings.LastIndexByte(body, '\n')+1:])
	if parts == nil {
		return Mark{}, false
	}
	run, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil {
		return Mark{}, false
	}
	attempt, err := strconv.Atoi(parts[4])
	if err != nil {
		return Mark{}, false
	}
	m := Mark{Key: parts[1], Head: parts[2], Run: run, Attempt: attempt}
	if parts[5] != "" {
		if m.Began, err = strconv.ParseInt(parts[5], 10, 64); err != nil {
			return Mark{}, false
		}
	}
	return m, true
}

// Compare orders marks by the run that wrote them: negative when m is of an older run than o. Which began later GitHub knows by their
// statuses; the number of a run tells it only as long as none is started again.
func (m Mark) Compare(o Mark) int {
	if m.Began != 0 && o.Began != 0 {
		return cmp.Compare(m.Began, o.Began)
	}
	return cmp.Or(cmp.Compare(m.Run, o.Run), cmp.Compare(m.Attempt, o.Attempt))
}

func onlyHex(s string) string {
	return strings.Map(func(r rune) rune {
		if isNotHex(r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}
