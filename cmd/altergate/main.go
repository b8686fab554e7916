// Command altergate plans the migration between two versions of a database schema, says how risky it is, and proves it.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/altergate/altergate/internal/cli"
)

func main() {
	// A run is short and its memory small: collecting garbage four times as late saves a third of its time.
	debug.SetGCPercent(400)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second signal ends it at once, whatever it is doing
	code := cli.Main(ctx, cli.System(), os.Args[1:])
	stop()
	os.Exit(code)
}
