// Command action is the GitHub Action: it answers the event that its environment describes.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/altergate/altergate/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second signal ends it at once, whatever it is doing
	code := cli.Action(ctx, cli.System())
	stop()
	os.Exit(code)
}
