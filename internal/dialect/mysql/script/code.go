package script

import (
	"fmt"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
)

// codeComment reads the opening of a comment that is code for some servers: /*! or /*M!, and a version. It gives its length, 0 if it is
// none, and whether the server runs what follows.
//
// MySQL runs /*!80016 … */ from 8.0.16 on, and takes /*M! for a comment (manual, "Comments"). MariaDB runs both from the version on that
// they say, but none of /*!50700 to /*!99999, which are MySQL's own (manual, "Comment Syntax"; 10.11 does so).
func codeComment(text string, sv server.Server) (length int, run bool) {
	maria := strings.HasPrefix(text, "/*M!")
	switch {
	case maria:
		length = len("/*M!")
	case strings.HasPrefix(text, "/*!"):
		length = len("/*!")
	default:
		return 0, false
	}
	digits := digitsEnd(text[:min(len(text), length+6)], length) - length
	if maria && !sv.MariaDB {
		return length + digits, false
	}
	if digits < 5 {
		return length, true
	}
	version, _ := number(text[length : length+digits])
	if sv.MariaDB && !maria && version >= 50700 && version <= 99999 {
		return length + digits, false
	}
	newest := sv.Newest() // a schema is read as the newest of a version reads it
	return length + digits, version <= newest.Major*10_000+newest.Minor*100+newest.Patch
}

// hidden is a code comment that the server does not run.
type hidden struct {
	at, end int
	opening string // /*!80016
	acts    bool   // what it holds would act on a schema
}

// hide notes a code comment that is not run.
func (s *splitter) hide(t Token) {
	said := s.src[t.Start:t.End]
	n, _ := codeComment(said, s.sv)
	if n == 0 || strings.HasPrefix(said[n:], `\-`) { // no code, or MariaDB's own mark at the top of a dump
		return
	}
	h := hidden{at: t.Start, end: t.End, opening: said[:n]}
	switch r := reading(said[n:max(n, len(said)-2)], 0); r.upper() {
	case "CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE":
		h.acts = true
	}
	s.hidden = append(s.hidden, h)
}

// tellHidden makes notices of the code comments that are not run: one for each that would act on a schema, one for all others that begin
// alike.
func (s *splitter) tellHidden() {
	groups := map[string][]hidden{}
	acts := 0
	for _, h := range s.hidden {
		if h.acts && acts < maxHidden {
			acts++
			s.notice(h.at, "`%s …*/` is code for other servers than %s, so what it says here was left out: %s", h.opening, s.sv, excerpt(s.src[h.at:h.end], 80))
			continue
		}
		groups[h.opening] = append(groups[h.opening], h)
	}
	openings := make([]string, 0, len(groups))
	for opening := range groups {
		openings = append(openings, opening)
	}
	sort.Strings(openings)
	for _, opening := range openings {
		all := groups[opening]
		count := ""
		if len(all) > 1 {
			count = fmt.Sprintf(" (%d comments, of which this is the first)", len(all))
		}
		s.notice(all[0].at, "`%s …*/` is code for other servers than %s, and was left out: %s%s", opening, s.sv, excerpt(s.src[all[0].at:all[0].end], 60), count)
	}
}

// maxHidden is how many code comments that would act have a notice of their own; the others are told as those that would not.
const maxHidden = 50

func (s *splitter) notice(offset int, format string, args ...any) {
	s.out.Notices = append(s.out.Notices, schema.Notice{Pos: s.pos(offset), Text: fmt.Sprintf(format, args...)})
}
