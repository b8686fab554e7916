package pull

import (
	"context"
	"fmt"
	"strings"
)

// pages reads one page after the other, to the last: what is decided on a part of a list is decided wrongly. P is the form of a page,
// and add takes each.
func pages[P any](ctx context.Context, c *Client, path, need string, add func(P) error) error {
	const most = 100
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	for n, next := 0, 1; n < most; n++ {
		var page P
		resp, err := c.do(ctx, ask{method: "GET", path: fmt.Sprintf("%s%sper_page=100&page=%d", path, separator, next), need: need}, &page)
		if err != nil {
			return err
		}
		if err := add(page); err != nil {
			return err
		}
		if next = resp.NextPage; next == 0 {
			return nil
		}
	}
	return fmt.Errorf("there are more than %d pages of them", most)
}

// list reads all pages of a plain list.
func list[T any](ctx context.Context, c *Client, path, need string) ([]T, error) {
	var all []T
	err := pages(ctx, c, path, need, func(page []T) error {
		if page == nil { // an empty list is [], so this is no answer at all
			return errEmpty
		}
		all = append(all, page...)
		return nil
	})
	return all, err
}
