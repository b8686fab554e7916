package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/sethvargo/go-githubactions"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/pull"
)

// Action answers the event that the GitHub Action was started for, and gives the exit code of its step. It takes no arguments: the
// event, its payload and the API's address come from the environment that the runner sets.
func Action(ctx context.Context, env Env) int {
	return action{Env: env}.main(ctx)
}

// action is one step of a workflow.
type action struct {
	Env
	wait func(context.Context, time.Duration) error // between two tries of a call; nil sleeps
}

// patience is for one event altogether. A run that hangs leaves the status pending and the next ones waiting.
const patience = 20 * time.Minute

func (a action) main(ctx context.Context) (code int) {
	log := &actionLog{to: a.Stdout}
	runner := githubactions.New(githubactions.WithGetenv(a.Getenv), githubactions.WithWriter(tolerant{a.Stdout}))
	var out results
	// The outputs are there however this ends, and nothing that goes wrong is green.
	defer func() {
		if p := recover(); p != nil {
			out, code = unanswered(), exitNoAnswer
			runner.Errorf("%s", visible(fmt.Sprintf("Altergate has a mistake in it, please report it: %v", p)))
		}
		if err := a.writeOutputs(out); err != nil {
			runner.Errorf("%s", oneLine(err))
			code = max(code, exitNoAnswer)
		}
	}()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	in, answers, err := a.answer(ctx, runner, log)
	if err != nil {
		runner.Errorf("%s", oneLine(err))
		out = unanswered()
		return exitNoAnswer
	}
	for i, answer := range answers {
		told := a.tell(runner, log, in, answer, len(answers) > 1)
		if i == 0 {
			out, code = told, exitOf(in.failJob, answer)
			continue
		}
		out, code = out.with(told), worse(code, exitOf(in.failJob, answer))
	}
	return code
}

// worse gives the exit code that says more about what is wrong: that there is no answer hides what the answer would be.
func worse(a, b int) int {
	for _, code := range []int{exitNoAnswer, exitNo} {
		if a == code || b == code {
			return code
		}
	}
	return max(a, b)
}

// answer has the event answered. The error says that this could not even begin.
func (a action) answer(ctx context.Context, runner *githubactions.Action, log io.Writer) (in actionInputs, answers []bot.Answer, err error) {
	if in, err = readInputs(runner); err != nil {
		return in, nil, err
	}
	run, err := a.run()
	if err != nil {
		return in, nil, err
	}
	event := a.Getenv("GITHUB_EVENT_NAME")
	payload, err := os.ReadFile(a.Getenv("GITHUB_EVENT_PATH"))
	if err != nil {
		return in, nil, fmt.Errorf("reading the event's payload, which GITHUB_EVENT_PATH names: %w", err)
	}
	pulls, err := pull.New(ctx, pull.Config{
		APIURL: a.Getenv("GITHUB_API_URL"), Repository: a.Getenv("GITHUB_REPOSITORY"), UserAgent: "altergate/" + Version,
		Token: in.token, AppID: in.appID, AppPrivateKey: in.appKey, CheckRuns: in.checkRun, Wait: a.wait,
	})
	if err != nil {
		return in, nil, err
	}
	workspace := a.Getenv("GITHUB_WORKSPACE")
	if workspace == "" {
		workspace = a.Dir
	}
	b := &bot.Bot{Pulls: pulls, Workspace: workspace, Trees: in.trees, Config: in.config, Context: in.context, Comment: in.comment, CheckRun: in.checkRun,
		Scratch: in.scratch, Run: run, Log: log}
	answers, err = b.Handle(ctx, event, payload)
	return in, answers, err
}

// run reads which run this is. The runner always sets it; without it the traces of two runs could not be told apart: a run knows its own
// statuses, and those of a later one, by their addresses.
func (a action) run() (bot.Run, error) {
	run := bot.Run{Server: strings.TrimRight(a.Getenv("GITHUB_SERVER_URL"), "/"), Attempt: 1}
	if run.Server == "" {
		return run, errors.New("GITHUB_SERVER_URL has to be the address of GitHub, as the runner sets it, and is empty")
	}
	var err error
	if run.ID, err = positive("GITHUB_RUN_ID", a.Getenv("GITHUB_RUN_ID")); err != nil {
		return run, err
	}
	if text := a.Getenv("GITHUB_RUN_ATTEMPT"); text != "" {
		attempt, err := positive("GITHUB_RUN_ATTEMPT", text)
		if err != nil {
			return run, err
		}
		run.Attempt = int(attempt)
	}
	return run, nil
}

// exitOf gives the step's exit code. The gate is the commit status, so where that stands, the step is green even if the answer is no: a
// red step cannot be turned green by an approval, which is another run.
func exitOf(mode failJob, answer bot.Answer) int {
	verdict := answer.Verdict.Exit()
	if answer.OtherHead || answer.Stale != "" {
		verdict = max(verdict, exitNoAnswer) // the step's result would stand on a commit it is not about
	}
	switch {
	case answer.Nothing != "" || mode == failNever:
		return exitYes
	case answer.Failure != nil:
		return exitNoAnswer
	case mode == failAlways:
		return verdict
	case answer.Posted || answer.Stale != "" && answer.Denied == "":
		return exitYes
	}
	return verdict
}
