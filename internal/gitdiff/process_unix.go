//go:build unix

package gitdiff

import (
	"os/exec"
	"syscall"
)

// separate gives a git a session of its own. Git may start a transport, and
// does not end it when it is ended: as one group they go together. And with no
// terminal, ssh fails where it would wait for a passphrase.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// interrupt lets git remove its lock files, which kill would leave behind.
func interrupt(cmd *exec.Cmd) error { return signal(cmd, syscall.SIGTERM) }

func kill(cmd *exec.Cmd) error { return signal(cmd, syscall.SIGKILL) }

func signal(cmd *exec.Cmd, sig syscall.Signal) error {
	// Only Process knows whether git is gone, and its number another's.
	if err := cmd.Process.Signal(sig); err != nil {
		return err
	}
	return syscall.Kill(-cmd.Process.Pid, sig)
}
