package pulltest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// validator holds requests and responses against GitHub's own description of its API. Nil checks nothing.
type validator struct{ description *openapi3.T }

// described is read once for all tests of a process: it takes longer than most of them.
var described = sync.OnceValues(func() (*openapi3.T, error) {
	path, err := descriptionPath()
	if err != nil {
		return nil, err
	}
	loader := openapi3.NewLoader()
	return loader.LoadFromFile(path)
})

// descriptionPath is beside the root of the repository, which is where go.mod is.
func descriptionPath() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			beside := filepath.Join(dir, "..", "shared")
			if _, err := os.Stat(beside); err != nil {
				return "", err
			}
			// Where there is anything, this has to be there too.
			path := filepath.Join(beside, "github", "openapi.json")
			if _, err := os.Stat(path); err != nil {
				return "", errors.New(path + " is missing")
			}
			return path, nil
		}
		if dir == filepath.Dir(dir) {
			return "", os.ErrNotExist
		}
		dir = filepath.Dir(dir)
	}
}

func newValidator(t testing.TB) *validator {
	t.Helper()
	description, err := described()
	switch {
	case os.IsNotExist(err):
		t.Log("pulltest: GitHub's description of its API is not here, so requests and responses are not held against it")
		return nil
	case err != nil:
		t.Fatalf("pulltest: reading GitHub's description of its API: %v", err)
	}
	return &validator{description}
}

var parameter = regexp.MustCompile(`\{(\w+)(\.\.\.)?\}`)

// check takes the operation from the route's pattern, so that no router has to find it, for which a slash in a parameter is one too many.
func (v *validator) check(rt route, r *http.Request, body []byte, answer reply) error {
	if v == nil {
		return nil
	}
	_, path, _ := strings.Cut(rt.pattern, " ")
	path = parameter.ReplaceAllString(path, "{$1}")
	item := v.description.Paths.Value(path)
	if item == nil || item.GetOperation(r.Method) == nil {
		return nil // GitHub has more than this cut of its description
	}
	request := r.Clone(r.Context())
	request.URL = &url.URL{Scheme: "https", Host: "api.github.com", Path: below(r), RawQuery: r.URL.RawQuery}
	request.Body = io.NopCloser(bytes.NewReader(body))
	input := &openapi3filter.RequestValidationInput{
		Request:    request,
		PathParams: map[string]string{},
		Route: &routers.Route{
			Spec: v.description, Path: path, PathItem: item, Method: r.Method, Operation: item.GetOperation(r.Method),
		},
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, RejectWhenRequestBodyNotSpecified: true,
		},
	}
	for _, name := range parameter.FindAllStringSubmatch(path, -1) {
		input.PathParams[name[1]] = r.PathValue(name[1])
	}
	if err := openapi3filter.ValidateRequest(r.Context(), input); err != nil {
		return fmt.Errorf("the request: %s", firstLine(err))
	}
	if answer.undescribed {
		return nil
	}
	written := httptest.NewRecorder()
	answer.write(written)
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: written.Code, Header: written.Header(), Options: input.Options,
	}
	output.SetBodyBytes(written.Body.Bytes())
	if err := openapi3filter.ValidateResponse(r.Context(), output); err != nil {
		return fmt.Errorf("the response: %s", firstLine(err))
	}
	return nil
}

// firstLine leaves out the schema, which can be hundreds of lines.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
