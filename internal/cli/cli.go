// Package cli is the command line: it reads the words typed, calls the server
// or the app, and prints for people. What a command does is in a file named
// after it.
package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"

	"github.com/alecthomas/kong"
	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

// IO is what a command talks to.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string
	Environ  []string // all of the environment, as os.Environ has it
	Program  string   // the name that it was called by
}

// commands is everything that can be typed.
type commands struct {
	Data     string `help:"Directory that holds everything (default ./data)." placeholder:"DIR"`
	Database string `help:"postgres://... for the control store; SQLite in the data directory if not given." placeholder:"URL"`
	Config   string `help:"File with settings (YAML)." placeholder:"FILE" env:"TIDEMARK_CONFIG"`

	Serve    serveCmd    `cmd:"" help:"Run the server."`
	Agent    agentCmd    `cmd:"" help:"Watch this machine: collect what it does and send it to a server."`
	Settings settingsCmd `cmd:"" name:"config" help:"Show the settings in force and where each comes from."`
	Nodes    nodesCmd    `cmd:"" help:"Show the servers that share the database."`
	Token    tokenCmd    `cmd:"" help:"Manage API tokens."`
	Org      orgCmd      `cmd:"" help:"Manage organizations."`
	User     userCmd     `cmd:"" help:"Manage users."`
	Audit    auditCmd    `cmd:"" help:"Show who changed what."`
	Backup   backupCmd   `cmd:"" help:"Copy everything to a directory, also while the server runs."`
	Restore  restoreCmd  `cmd:"" help:"Make a data directory out of a backup."`
	Migrate  migrateCmd  `cmd:"" help:"Move everything between one machine and many servers, while the old server records."`
	Export   exportCmd   `cmd:"" help:"Write measurements, what their metrics are and annotations as lines of JSON."`
	Import   importCmd   `cmd:"" help:"Move in: take over what another server or service exported."`
	Secrets  secretsCmd  `cmd:"" help:"Manage the keys that secrets in the control store are encrypted with."`
	Storage  storageCmd  `cmd:"" help:"Check and repair the measurements on disk."`
	Health   healthCmd   `cmd:"" help:"Say whether the server that runs on the data directory is ready; exit code 1 if not."`
	Profile  profileCmd  `cmd:"" help:"Fetch a profile of the running server, to see where time and memory go."`
	Version  versionCmd  `cmd:"" help:"Show the version."`

	Docs       docsCmd       `cmd:"" help:"Write the documentation of this version as a website."`
	Completion completionCmd `cmd:"" help:"Print a completion script for bash, zsh or fish."`
	Man        manCmd        `cmd:"" help:"Print the manual page (roff)."`

	ShowVersion kong.VersionFlag `name:"version" help:"Show the version."`
}

const description = "Tidemark records measurements, draws them, and notifies you when something is wrong.\n\n" +
	"Commands work on the data directory when no server is running there, and through the server when one is. " +
	"Every setting can also be given in the environment or in a file: see tidemark config."

// run is what commands get to work with.
type run struct {
	IO
	ctx  context.Context
	opts *commands
	said string // the last line of progress: it is not repeated
}

// exit is how kong ends the program early, for --help and the like.
type exit int

// Run does what args say and returns the exit code: 0, 1 for what went wrong,
// 2 for what makes no sense, 130 or 143 for what a signal interrupted, which
// is the cause of a context from NotifyContext.
func Run(ctx context.Context, args []string, std IO) (code int) {
	defer func() {
		if p := recover(); p != nil {
			early, ok := p.(exit)
			if !ok {
				panic(p)
			}
			code = int(early)
		}
	}()
	system.KeepPrivate() // all files written here may hold secrets
	var c commands
	parser, err := kong.New(&c, kong.Name("tidemark"), kong.Description(description), kong.Writers(std.Out, std.Err),
		kong.Exit(func(code int) { panic(exit(code)) }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.UsageOnError(),
		kong.Vars{"version": "tidemark " + app.LongVersion()})
	if err != nil {
		panic(err) // our own table: a bug
	}
	parsed, err := parser.Parse(asAgent(std.Program, args))
	if err != nil {
		fmt.Fprintf(std.Err, "tidemark: %v\nTry tidemark --help.\n", err)
		return 2
	}
	return ended(ctx, parsed.Selected(), std.Err, parsed.Run(&run{IO: std, ctx: ctx, opts: &c}))
}

// load reads the settings, with the flags that every command has and more.
func (r *run) load(more map[string]string) (*config.Config, []config.Value, error) {
	flags := map[string]string{"data": r.opts.Data, "database": r.opts.Database}
	maps.Copy(flags, more)
	for name, v := range flags {
		if v == "" {
			delete(flags, name)
		}
	}
	file := r.opts.Config
	if file == "" && r.opts.Data == "" {
		file = r.installedSettings()
	}
	return config.Load(config.Sources{File: file, Env: r.Env, Flags: flags})
}

// installedSettings is the file of the server that a package installed, for
// the program that came with it: an operator's commands are about that server.
func (r *run) installedSettings() string {
	const program, file = "/usr/bin/tidemark", "/etc/tidemark/tidemark.yaml"
	if self, err := os.Executable(); err != nil || self != program || r.Env("TIDEMARK_DATA") != "" {
		return ""
	}
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

type versionCmd struct{ listFlags }

// Run prints the version.
func (c *versionCmd) Run(r *run) error {
	if c.JSON {
		return r.printJSON(app.Build())
	}
	fmt.Fprintln(r.Out, "tidemark", app.LongVersion())
	return nil
}

type settingsCmd struct {
	listFlags
	Template bool `help:"Print a settings file instead, with every setting and what it is for, commented out."`
}

// Run prints every setting.
func (c *settingsCmd) Run(r *run) error {
	if c.Template {
		_, err := io.WriteString(r.Out, config.Template())
		return err
	}
	cfg, values, err := r.load(nil)
	if err != nil {
		return err
	}
	for _, problem := range config.UnknownVariables(r.Environ) {
		fmt.Fprintln(r.Err, "Warning:", problem)
	}
	t := table{header: []string{"SETTING", "VALUE", "FROM", "ENVIRONMENT", "MEANING"}}
	for _, v := range values {
		t.add(v.Name, v.Value, v.From, v.Env, v.Help)
	}
	if err := r.list(c.listFlags, values, &t); err != nil {
		return err
	}
	return app.CheckEngine(r.ctx, cfg)
}
