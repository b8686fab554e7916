package pulltest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// page cuts a list. A client that asks for a hundred gets two, so that every list of a test has pages.
func page[T any](gh *GitHub, r *http.Request, list []T, form func(T) object) reply {
	some, header := pageOf(gh, r, list, form)
	answer := ok(some)
	answer.header = header
	return answer
}

func pageOf[T any](gh *GitHub, r *http.Request, list []T, form func(T) object) ([]object, http.Header) {
	asked := func(parameter string, otherwise int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(parameter)); err == nil && n > 0 {
			return n
		}
		return otherwise
	}
	number, size := asked("page", 1), min(asked("per_page", 30), gh.pageSize)
	last := max((len(list)+size-1)/size, 1)
	start := min((number-1)*size, len(list))
	some := []object{} // never null
	for _, item := range list[start:min(start+size, len(list))] {
		some = append(some, form(item))
	}

	var links []string
	link := func(rel string, page int) {
		query := r.URL.Query()
		query.Set("page", strconv.Itoa(page))
		links = append(links, fmt.Sprintf(`<%s%s?%s>; rel="%s"`, gh.URL, strings.TrimPrefix(r.URL.Path, base), query.Encode(), rel))
	}
	if number > 1 {
		link("prev", number-1)
		link("first", 1)
	}
	if number < last {
		link("next", number+1)
		link("last", last)
	}
	if links == nil {
		return some, http.Header{}
	}
	return some, http.Header{"Link": {strings.Join(links, ", ")}}
}
