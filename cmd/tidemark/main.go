// Command tidemark is the monitoring server and the tool to look after it.
package main

import (
	"context"
	"os"
	_ "time/tzdata" // maintenance windows go by time zones, which not every machine knows

	"github.com/tidemark-metrics/tidemark/internal/cli"
)

func main() {
	ctx, stop := cli.NotifyContext(context.Background())
	defer stop()
	os.Exit(cli.Run(ctx, os.Args[1:], cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Environ: os.Environ(), Program: os.Args[0]}))
}
