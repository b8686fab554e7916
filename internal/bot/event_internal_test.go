package bot

import (
	"testing"

	"github.com/altergate/altergate/internal/pull"
)

// FuzzParse looks for payloads that make it stumble, or that have it react to what holds no command.
func FuzzParse(f *testing.F) {
	pulls, err := pull.New(f.Context(), pull.Config{Repository: "acme/shop", Token: "x"})
	if err != nil {
		f.Fatal(err)
	}
	b := &Bot{Pulls: pulls, Context: "altergate"}
	f.Add("pull_request", []byte(`{"number": 1, "pull_request": {"head": {"sha": "x"}}, "repository": {"full_name": "acme/shop"}}`))
	f.Add("issue_comment", []byte(`{"action": "created", "issue": {"number": 1, "pull_request": {}}, "comment": {"id": 1, "body": "/plan", "user": null}, "repository": {"full_name": "acme/shop"}}`))
	f.Add("issue_comment", []byte(`{"action": "edited", "issue": {"number": 1, "pull_request": {}}, "comment": {"id": 1, "body": "x"}, "changes": {"body": {"from": "/plan"}}, "repository": {"full_name": "Acme/Shop"}}`))
	f.Add("merge_group", []byte(`{"action": "checks_requested", "merge_group": {"head_sha": "x", "head_ref": "refs/heads/gh-readonly-queue/main/pr-7-0000000000000000000000000000000000000000", "base_sha": "y", "base_ref": "refs/heads/main"}, "repository": {"full_name": "acme/shop"}}`))
	f.Add("workflow_dispatch", []byte(`{"inputs": {"pull-request": "7"}, "repository": {"full_name": "acme/shop"}}`))
	f.Add("push", []byte(`{"ref": "refs/heads/main", "repository": {"full_name": "acme/shop"}}`))
	f.Add("workflow_run", []byte(`{"workflow_run": {"head_sha": "x"}, "repository": {"full_name": "acme/shop"}}`))
	f.Fuzz(func(t *testing.T, event string, payload []byte) {
		asked, err := b.parse(event, payload)
		switch {
		case err != nil:
			if asked != (question{}) {
				t.Errorf("beside the error there is %+v", asked)
			}
		case asked.broken != nil:
			if asked.number != 0 || asked.head == "" {
				t.Errorf("it is not known what to make red: %+v", asked)
			}
		case asked.nothing == "" && asked.number <= 0 && asked.into == "" && asked.with == "":
			t.Errorf("it is about no pull request: %+v", asked)
		case asked.nothing != "" && asked.comment != 0:
			t.Errorf("it reacts to nothing: %+v", asked)
		}
	})
}
