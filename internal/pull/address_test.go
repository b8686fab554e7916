package pull

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAddresses(t *testing.T) {
	for given, want := range map[string][2]string{
		"":                                   {"https://api.github.com/", "https://api.github.com/graphql"},
		"https://api.github.com":             {"https://api.github.com/", "https://api.github.com/graphql"},
		"https://ghe.example/api/v3":         {"https://ghe.example/api/v3/", "https://ghe.example/api/graphql"},
		"https://ghe.example/api/v3/":        {"https://ghe.example/api/v3/", "https://ghe.example/api/graphql"},
		"https://api.acme.ghe.com":           {"https://api.acme.ghe.com/", "https://api.acme.ghe.com/graphql"},
		"http://127.0.0.1:8080/base":         {"http://127.0.0.1:8080/base/", "http://127.0.0.1:8080/base/graphql"},
		"https://u:hunter2@ghe.example/v3?q": {"https://ghe.example/v3/", "https://ghe.example/v3/graphql"},
	} {
		base, err := apiAddress(given)
		if err != nil {
			t.Errorf("%q: %v", given, err)
			continue
		}
		graphql, err := base.Parse(graphqlPath(base))
		if err != nil {
			t.Errorf("%q: %v", given, err)
			continue
		}
		if got := [2]string{base.String(), graphql.String()}; got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}

func TestSleep(t *testing.T) {
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
