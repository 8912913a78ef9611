package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

// Command is the command line of the agent, in the words of kong.
type Command struct {
	Settings string            `help:"File with settings (YAML); flags count more. See --template." placeholder:"FILE" env:"TIDEMARK_AGENT_CONFIG"`
	Server   string            `help:"Where to send, such as https://metrics.example.org." placeholder:"URL" env:"TIDEMARK_SERVER"`
	Token    string            `help:"Token that may record; better in the environment or a file, where no list of processes shows it." placeholder:"TOKEN" env:"TIDEMARK_TOKEN"`
	Host     string            `help:"Name of this machine, the tag host of everything (default: what the machine calls itself)." placeholder:"NAME" env:"TIDEMARK_AGENT_HOST"`
	Tag      map[string]string `help:"Another tag of everything; may be repeated." placeholder:"NAME=VALUE"`
	Every    time.Duration     `help:"How often to collect (default 10s)." placeholder:"TIME"`
	Spool    string            `help:"Directory where measurements wait while the server is away." placeholder:"DIR"`
	Process  []string          `help:"Also watch the processes of this name; may be repeated, may hold *." placeholder:"NAME"`
	Unit     []string          `help:"Also watch this unit of systemd; may be repeated, may hold *." placeholder:"UNIT"`
	Docker   string            `name:"containers" help:"Also watch containers, through this socket (/run/docker.sock)." placeholder:"SOCKET"`
	Statsd   string            `help:"Take StatsD by UDP here, such as 127.0.0.1:8125." placeholder:"HOST:PORT"`
	Scrape   []string          `help:"Also fetch this Prometheus endpoint; may be repeated." placeholder:"URL"`
	Network  []string          `name:"check-network" help:"Let checks that people give to this agent reach this private network, such as 10.0.0.0/8 or 127.0.0.1/32:5432; may be repeated." placeholder:"NETWORK"`
	NoChecks bool              `help:"Run no checks for the server."`
	Ready    string            `help:"Make this file when the server has answered for the first time; installers wait for it." placeholder:"FILE"`
	Check    bool              `help:"Check the settings and exit."`
	Template bool              `help:"Print a settings file with every setting, commented out, and exit."`

	Release string `kong:"-"` // the version of this program, which servers are told
}

// Help is what --help says beyond the flags.
func (*Command) Help() string {
	return `Collects processor, load, memory, disks, network and processes of this machine every 10 seconds and sends them to a server. What cannot be sent waits on disk, 64 MiB at most, oldest dropped first; an agent or server that is killed loses nothing that was collected.

  tidemark agent --server https://metrics.example.org --token "$TOKEN"
  tidemark agent --settings /etc/tidemark/agent.yaml
  tidemark agent --server http://127.0.0.1:8433 --unit nginx --process postgres --statsd 127.0.0.1:8125

No root is needed. Containers need a group that may read the socket.`
}

// Config puts the settings together: the defaults, the file, the flags.
func (c *Command) Config() (Config, error) {
	cfg := Defaults()
	cfg.Spool.Dir = defaultSpool()
	if c.Settings != "" {
		f, err := os.Open(c.Settings)
		if err != nil {
			return cfg, err
		}
		defer f.Close()
		if err := cfg.Read(f); err != nil {
			return cfg, fmt.Errorf("%s: %w", c.Settings, err)
		}
	}
	c.apply(&cfg)
	cfg.ready, cfg.release = c.Ready, c.Release
	return cfg, cfg.Validate()
}

// apply lets flags count more than the file.
func (c *Command) apply(cfg *Config) {
	for _, s := range []struct {
		into *string
		from string
	}{{&cfg.Server, c.Server}, {&cfg.TokenText, c.Token}, {&cfg.Host, c.Host}, {&cfg.Spool.Dir, c.Spool}, {&cfg.Containers, c.Docker}, {&cfg.Statsd, c.Statsd}} {
		if s.from != "" {
			*s.into = s.from
		}
	}
	if c.Every != 0 {
		cfg.Every = c.Every
	}
	for name, value := range c.Tag {
		if cfg.Tags == nil {
			cfg.Tags = make(map[string]string)
		}
		cfg.Tags[name] = value
	}
	cfg.Processes = append(cfg.Processes, c.Process...)
	cfg.Units = append(cfg.Units, c.Unit...)
	cfg.Checks.Allow = append(cfg.Checks.Allow, c.Network...)
	cfg.Checks.Off = cfg.Checks.Off || c.NoChecks
	for _, u := range c.Scrape {
		cfg.Scrape = append(cfg.Scrape, Scrape{URL: u})
	}
}

// defaultSpool is where systemd says, or below the home of the user who runs it.
func defaultSpool() string {
	if dir := os.Getenv("STATE_DIRECTORY"); dir != "" {
		return filepath.Join(dir, "spool")
	}
	if os.Geteuid() == 0 {
		return "/var/lib/tidemark-agent/spool"
	}
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "tidemark-agent")
	}
	return ""
}

// Memory that the agent is content with, and how eagerly it collects garbage
// to stay there.
const (
	softMemory = 14 << 20
	gcPercent  = 40
)

// Do does what the command line says.
func (c *Command) Do(ctx context.Context, stdout, stderr io.Writer) error {
	if c.Template {
		_, err := io.WriteString(stdout, Template)
		return err
	}
	cfg, err := c.Config()
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if c.Check {
		fmt.Fprintln(stdout, "The settings are valid.")
		return nil
	}
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(softMemory)
	a, err := New(cfg, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	a.log.Info(a.String())
	if err := a.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
