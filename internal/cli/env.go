// Package cli turns flags and environment into questions, and answers into text and exit codes: 0 within policy, 1 could not
// answer, 2 answered no. Only here an answer becomes an exit code.
package cli

import (
	"io"
	"os"
)

// Exit codes.
const (
	exitYes      = 0
	exitNoAnswer = 1
	exitNo       = 2
)

// Version is what `altergate version` prints; a release sets it when it is built.
var Version = "development"

// Env is the world as a command sees it.
type Env struct {
	Stdout, Stderr io.Writer
	Dir            string              // the working directory
	Getenv         func(string) string // of the process
	Terminal       bool                // Stdout is a terminal
}

// System is the process's own world.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	info, err := os.Stdout.Stat()
	return Env{os.Stdout, os.Stderr, dir, os.Getenv, err == nil && info.Mode()&os.ModeCharDevice != 0}
}
