package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidemark-metrics/tidemark/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tidemark": func() {
			ctx, stop := cli.NotifyContext(context.Background())
			code := cli.Run(ctx, os.Args[1:], cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Environ: os.Environ()})
			stop()
			os.Exit(code)
		},
	})
}

// TestScripts runs testdata/*.txtar: commands as people type them. They are
// those of the binary that TIDEMARK_BIN names, if it does, which starts ten
// times as fast as this one under the race detector.
func TestScripts(t *testing.T) {
	p := testscript.Params{Dir: "testdata", Cmds: commands}
	if bin := os.Getenv("TIDEMARK_BIN"); bin != "" {
		p.Setup = func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		}
	}
	testscript.Run(t, p)
}
