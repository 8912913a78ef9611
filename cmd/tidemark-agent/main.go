// Command tidemark-agent watches one machine: tidemark agent without the
// server, for machines that have little memory to spare.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/tidemark-metrics/tidemark/internal/agent"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

// version is written here by scripts/build.sh.
var version = "devel"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	system.KeepPrivate() // the spool is readable by its owner only
	var c struct {
		agent.Command
		Version kong.VersionFlag `help:"Show the version."`
	}
	kong.Parse(&c, kong.Name("tidemark-agent"), kong.Description("Watches this machine."), kong.UsageOnError(),
		kong.Vars{"version": "tidemark-agent " + version})
	c.Release = version
	if err := c.Do(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "tidemark-agent: %v\n", err)
		os.Exit(1)
	}
}
