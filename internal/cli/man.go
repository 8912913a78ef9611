package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

type manCmd struct{}

// Run prints the manual page.
func (manCmd) Run(r *run, k *kong.Context) error {
	m := manual{r.Out}
	fmt.Fprintf(m.w, ".TH TIDEMARK 1 \"\" \"tidemark %s\" \"User Commands\"\n", roff(app.Version()))
	m.section("NAME", "tidemark \\- monitoring server that speaks the AppOptics / Librato v1 API")
	fmt.Fprint(m.w, ".SH SYNOPSIS\n.B tidemark\n[\\fIflags\\fR] \\fIcommand\\fR\n")
	m.section("DESCRIPTION", roff(description))
	m.flags("OPTIONS", k.Model.Node)
	fmt.Fprint(m.w, ".SH COMMANDS\n")
	m.commands(k.Model.Node, "")
	m.settings()
	m.section("EXIT STATUS", "0 if all went well, 1 if something went wrong, 2 if the command line is invalid.")
	m.section("FILES", "\\fI/etc/tidemark/tidemark.yaml\\fR: settings, where a package installed it.\n.br\n\\fI/var/lib/tidemark\\fR: data, where a package installed it.")
	return nil
}

// manual writes a page of the manual.
type manual struct{ w io.Writer }

func (m manual) section(title, text string) { fmt.Fprintf(m.w, ".SH %s\n%s\n", title, text) }

func (m manual) flags(title string, n *kong.Node) {
	fmt.Fprintf(m.w, ".SH %s\n", title)
	for _, f := range n.Flags {
		if !f.Hidden {
			m.flag(f)
		}
	}
}

func (m manual) flag(f *kong.Flag) {
	name := "--" + f.Name
	if !f.IsBool() {
		name += "=" + f.FormatPlaceHolder()
	}
	fmt.Fprintf(m.w, ".TP\n\\fB%s\\fR\n%s\n", roff(name), roff(f.Help))
}

// commands writes all commands below n.
func (m manual) commands(n *kong.Node, path string) {
	for _, child := range n.Children {
		name := strings.TrimSpace(path + " " + child.Name)
		if child == n.DefaultCmd {
			name = path
		} else if child.Hidden {
			continue
		}
		if len(child.Children) > 0 {
			m.commands(child, name)
			continue
		}
		fmt.Fprintf(m.w, ".SS %s\n%s\n", roff("tidemark "+name+arguments(child)), roff(child.Help))
		for _, p := range child.Positional {
			fmt.Fprintf(m.w, ".TP\n\\fI%s\\fR\n%s\n", roff(strings.ToUpper(p.Name)), roff(p.Help))
		}
		for _, f := range child.Flags {
			if !f.Hidden {
				m.flag(f)
			}
		}
	}
}

func arguments(n *kong.Node) string {
	var s strings.Builder
	for _, p := range n.Positional {
		s.WriteString(" " + strings.ToUpper(p.Name))
	}
	return s.String()
}

// settings writes what can be set by file and environment.
func (m manual) settings() {
	fmt.Fprintf(m.w, ".SH SETTINGS\n%s\n", roff("Each is a line of the file that --config names, or a variable of the environment. "+
		"Secrets can be in files: add _file to the name, or _FILE to the variable."))
	for _, s := range config.List() {
		text := s.Help
		if s.Default != "" {
			text += " (default " + s.Default + ")"
		}
		fmt.Fprintf(m.w, ".TP\n\\fB%s\\fR, \\fB%s\\fR\n%s\n", roff(s.Name), roff(s.Env), roff(text))
	}
}

// roff writes text so that nothing in it is a request to the typesetter.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		} else if line == "" {
			lines[i] = ".PP"
		}
	}
	return strings.Join(lines, "\n")
}
