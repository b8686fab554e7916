package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// report answers the question that the flags ask. What cannot be asked is in the report as an error.
func (r run) report(ctx context.Context) *pipeline.Report {
	in := &inputs{run: r, ctx: ctx, policy: policy.Default()}
	defer in.close()
	targets, err := in.targets()
	var options pipeline.Options
	if err == nil {
		var scratchErr error
		options, scratchErr = r.scratch(targets)
		err = errors.Join(in.overridePolicy(), in.overrideOnline(targets), scratchErr)
	}
	if err != nil {
		return &pipeline.Report{Policy: in.policy, Errors: configErrors(err)}
	}
	report := pipeline.Run(ctx, in.policy, targets, options)
	report.Notices = append(in.notices, report.Notices...)
	return report
}

func configErrors(err error) []*schema.Error {
	errs := schema.Errors(err)
	for _, e := range errs {
		if e.Kind == schema.KindInternal {
			e.Kind = schema.KindConfig
		}
	}
	return errs
}

// inputs finds what the flags name.
type inputs struct {
	run
	ctx     context.Context
	repo    *gitdiff.Repo
	policy  policy.Policy
	notices []schema.Notice
}

func (in *inputs) close() {
	if in.repo != nil {
		in.repo.Close()
	}
}

func (in *inputs) targets() ([]pipeline.Target, error) {
	f := in.flags
	if f.Migrations && !f.Dialect.Given {
		return nil, errors.New("--migrations needs --dialect, --base and --head; in a configuration the key is migrations")
	}
	if f.Migrations && f.Hints.Given {
		return nil, errors.New("--hints is not for --migrations: they rename by their own statements")
	}
	if f.Dialect.Given {
		return in.flagTarget()
	}
	if f.Base.Given || f.Head.Given {
		return nil, errors.New("--base and --head need --dialect; without it the schemas are those of the configuration")
	}
	if f.Hints.Given || f.EngineVersion.Given {
		return nil, errors.New("--hints and --engine-version need --dialect; with a configuration hints stand beside the new names, and the version is the key version")
	}
	return in.configTargets()
}

// flagTarget makes the one target that --dialect, --base and --head describe.
func (in *inputs) flagTarget() ([]pipeline.Target, error) {
	f := in.flags
	if f.Config.Given || f.Schema.Given {
		return nil, errors.New("--dialect describes a schema without a configuration; leave out --config and --schema, or --dialect")
	}
	if !f.Base.Given || !f.Head.Given {
		return nil, errors.New("--dialect needs --base and --head: each a path, or REV:path")
	}
	base, err := in.place(f.Base.Value)
	if err != nil {
		return nil, fmt.Errorf("--base: %w", err)
	}
	head, err := in.place(f.Head.Value)
	if err != nil {
		return nil, fmt.Errorf("--head: %w", err)
	}
	t := pipeline.Target{Name: "main", Dialect: f.Dialect.Value, Version: f.EngineVersion.Value, Base: base, Head: head, Migrations: f.Migrations}
	if f.Hints.Given {
		if t.Hints, err = in.place(f.Hints.Value); err != nil {
			return nil, fmt.Errorf("--hints: %w", err)
		}
	}
	return []pipeline.Target{t}, nil
}

// place finds a SPEC: a path, or REV:path when there is no such path and it has a colon.
func (in *inputs) place(spec string) (pipeline.Place, error) {
	name := spec
	if !filepath.IsAbs(name) {
		name = filepath.Join(in.Dir, name)
	}
	rev, path, colon := strings.Cut(spec, ":")
	if _, err := os.Stat(name); err != nil && colon && rev != "" {
		tree, err := in.tree(rev)
		return pipeline.Place{FS: tree, Path: path}, err
	}
	if filepath.IsLocal(spec) {
		return pipeline.Place{FS: os.DirFS(in.Dir), Path: filepath.ToSlash(filepath.Clean(spec))}, nil
	}
	return pipeline.Place{FS: os.DirFS(filepath.Dir(name)), Path: filepath.Base(name)}, nil
}

func (in *inputs) open() error {
	if in.repo != nil {
		return nil
	}
	repo, err := gitdiff.Open(in.ctx, in.Dir)
	in.repo = repo
	return err
}

func (in *inputs) tree(rev string) (fs.FS, error) {
	if err := in.open(); err != nil {
		return nil, err
	}
	c, err := in.repo.Resolve(in.ctx, rev)
	if err != nil {
		return nil, err
	}
	return in.repo.FS(in.ctx, c)
}

// configTargets makes the targets of the configuration: from the merge base with the default branch to the working tree.
// The configuration is the base's, and what the head adds to it.
func (in *inputs) configTargets() ([]pipeline.Target, error) {
	if err := in.open(); err != nil {
		return nil, err
	}
	base, err := in.mergeBase()
	if err != nil {
		return nil, err
	}
	root := in.repo.Root()
	if root == "" {
		return nil, errors.New("this is a bare repository, which has no working tree to compare; give --dialect, --base and --head")
	}
	head := os.DirFS(root)
	config, notices, err := pipeline.ReadConfig(pipeline.Sides{Policy: base, Head: head}, in.flags.Config.or(pipeline.DefaultConfig))
	if err != nil {
		return nil, err
	}
	in.notices = append(in.notices, notices...)
	in.policy = config.Policy
	targets := pipeline.Targets(config, base, head)
	if !in.flags.Schema.Given {
		return targets, nil
	}
	for _, t := range targets {
		if t.Name == in.flags.Schema.Value {
			return []pipeline.Target{t}, nil
		}
	}
	return nil, fmt.Errorf("the configuration has no schema called %q", in.flags.Schema.Value)
}

func (in *inputs) mergeBase() (fs.FS, error) {
	upstream, err := in.repo.DefaultBranch(in.ctx)
	if err != nil {
		return nil, err
	}
	head, err := in.repo.Resolve(in.ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	base, err := in.repo.MergeBase(in.ctx, upstream, head)
	if err != nil {
		return nil, err
	}
	return in.repo.FS(in.ctx, base)
}

// overridePolicy lets the flags speak last: whoever runs the command decides what it is to hold against.
func (in *inputs) overridePolicy() error {
	var errs []error
	if f := in.flags.MaxRisk; f.Given {
		risk, err := plan.ParseRisk(f.Value)
		if err != nil {
			errs = append(errs, fmt.Errorf("--max-risk: %w", err))
		}
		in.policy.MaxRisk = risk
	}
	if f := in.flags.Renames; f.Given {
		renames, err := diff.ParseRenamePolicy(f.Value)
		if err != nil {
			errs = append(errs, fmt.Errorf("--renames: %w", err))
		}
		in.policy.Renames = renames
	}
	return errors.Join(errs...)
}

// overrideOnline lets --online speak last likewise, for every schema.
func (in *inputs) overrideOnline(targets []pipeline.Target) error {
	f := in.flags.Online
	if f.Given && f.Value != "true" && f.Value != "false" {
		return fmt.Errorf("--online: unknown value %q: it is true or false", f.Value)
	}
	for i := range targets {
		if f.Given {
			targets[i].Plain = f.Value == "false"
		}
	}
	return nil
}
