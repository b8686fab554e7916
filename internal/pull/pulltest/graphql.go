package pulltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// graphql knows the few questions that only GraphQL answers. What it refuses, it refuses with the status 200.
func (gh *GitHub) graphql(r *http.Request, who caller) reply {
	var in struct {
		Query     string `json:"query"`
		Variables struct {
			ID  string   `json:"id"`
			IDs []string `json:"ids"`
		} `json:"variables"`
	}
	err := json.NewDecoder(r.Body).Decode(&in)
	switch {
	case err != nil:
	case strings.Contains(in.Query, "viewer { login databaseId }"):
		return ok(object{"data": object{"viewer": object{"login": who.login, "databaseId": gh.user(who.login).id}}})
	case strings.Contains(in.Query, "nodes(ids: $ids) { ... on IssueComment { isMinimized } }"):
		return gh.nodes(who, in.Variables.IDs)
	case strings.Contains(in.Query, "minimizeComment(input: {subjectId: $id, classifier: OUTDATED})"):
		return gh.minimize(who, in.Variables.ID)
	}
	gh.t.Errorf("pulltest: no such query: %q", in.Query)
	return refuse(http.StatusNotImplemented, "pulltest knows no such query")
}

// nodes gives null for what is not there, and says so beside the rest.
func (gh *GitHub) nodes(who caller, ids []string) reply {
	const most = 100
	switch {
	case !gh.may(who, "pull-requests: read"):
		return gh.denied("nodes", "FORBIDDEN", readOnly)
	case len(ids) > most:
		return gh.denied("nodes", "ARGUMENT_LIMIT", fmt.Sprintf("You may not provide more than %d node ids; you provided %d.", most, len(ids)))
	}
	nodes, problems := []any{}, []object{}
	for i, id := range ids {
		c := gh.commentOfNode(id)
		if c == nil {
			nodes, problems = append(nodes, nil), append(problems, problem("NOT_FOUND", unresolved(id), "nodes", i))
			continue
		}
		nodes = append(nodes, object{"isMinimized": c.Hidden != ""})
	}
	answer := object{"data": object{"nodes": nodes}}
	if len(problems) > 0 {
		answer["errors"] = problems
	}
	return ok(answer)
}

// minimize is for the author of a comment and for those who may write.
func (gh *GitHub) minimize(who caller, id string) reply {
	c := gh.commentOfNode(id)
	switch {
	case c == nil:
		return gh.denied("minimizeComment", "NOT_FOUND", unresolved(id))
	case !gh.may(who, "pull-requests: write"):
		return gh.denied("minimizeComment", "FORBIDDEN", readOnly)
	case who.app == "" && who.login != c.Author && !gh.users[who.login].flags()["push"]:
		return gh.denied("minimizeComment", "FORBIDDEN", who.login+" does not have the correct permissions to execute `MinimizeComment`")
	}
	gh.tick()
	c.Hidden = "OUTDATED"
	return ok(object{"data": object{"minimizeComment": object{"minimizedComment": object{"isMinimized": true}}}})
}

func (gh *GitHub) commentOfNode(id string) *Comment {
	i := slices.IndexFunc(gh.comments, func(c *Comment) bool { return nodeID("IC", c.ID) == id && !c.deleted })
	if i < 0 {
		return nil
	}
	return gh.comments[i]
}

func unresolved(id string) string {
	return fmt.Sprintf("Could not resolve to a node with the global id of '%s'.", id)
}

func (gh *GitHub) denied(field, kind, message string) reply {
	return ok(object{"data": object{field: nil}, "errors": []object{problem(kind, message, field)}})
}

func problem(kind, message string, path ...any) object {
	return object{"type": kind, "path": path, "locations": []object{{"line": 1, "column": 20}}, "message": message}
}
