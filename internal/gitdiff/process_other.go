//go:build !unix

package gitdiff

import "os/exec"

// Without sessions only git itself can be ended, and without a gentle way.

func separate(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
