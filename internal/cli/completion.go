package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints a script for a shell.
func (c *completionCmd) Run(r *run, k *kong.Context) error {
	write := map[string]func(io.Writer, []*prefix){"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Shell]
	write(r.Out, prefixes(k.Model.Node, ""))
	return nil
}

// prefix is the beginning of a command line: after which commands one is, and
// what can follow there.
type prefix struct {
	path     string // "token create"
	commands []choice
	flags    []choice
}

type choice struct {
	word, help string
	values     string // of a flag: "admin,recorder,viewer" where there is a list
	takesValue bool
}

func (p *prefix) words() string {
	var words []string
	for _, c := range append(p.commands, p.flags...) {
		words = append(words, c.word)
	}
	return strings.Join(words, " ")
}

// prefixes lists that of n and what is below it.
func prefixes(n *kong.Node, path string) []*prefix {
	p := &prefix{path: path}
	for at := n; at != nil; at = at.Parent {
		for _, f := range at.Flags {
			if !f.Hidden {
				p.flags = append(p.flags, choice{word: "--" + f.Name, help: f.Help, values: f.Enum, takesValue: !f.IsBool()})
			}
		}
	}
	all := []*prefix{p}
	for _, child := range n.Children {
		if child.Hidden && child != n.DefaultCmd || child.Type != kong.CommandNode {
			continue
		}
		if child == n.DefaultCmd { // its name need not be typed
			continue
		}
		p.commands = append(p.commands, choice{word: child.Name, help: child.Help})
		all = append(all, prefixes(child, strings.TrimSpace(path+" "+child.Name))...)
	}
	return all
}

// valueCases writes what may follow the flags that have a list of values.
func valueCases(w io.Writer, all []*prefix, then string) {
	seen := make(map[string]bool)
	for _, p := range all {
		for _, f := range p.flags {
			key := p.path + " " + f.word
			if f.values == "" || seen[key] {
				continue
			}
			seen[key] = true
			fmt.Fprintf(w, "    \"%s %s\") %s ;;\n", p.path, f.word, fmt.Sprintf(then, strings.ReplaceAll(f.values, ",", " ")))
		}
	}
}

// pathCases writes how the words typed so far lead from prefix to prefix.
func pathCases(w io.Writer, all []*prefix) {
	for _, p := range all[1:] {
		above, last, ok := cutLast(p.path)
		if !ok {
			above, last = "", p.path
		}
		fmt.Fprintf(w, "      \"%s|%s\") path=\"%s\" ;;\n", above, last, p.path)
	}
}

func cutLast(path string) (above, last string, ok bool) {
	i := strings.LastIndex(path, " ")
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

func bashCompletion(w io.Writer, all []*prefix) {
	fmt.Fprint(w, "# Completion of tidemark for bash; made by: tidemark completion bash\n_tidemark() {\n"+
		"  local path=\"\" word cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"+
		"  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case \"$path|$word\" in\n")
	pathCases(w, all)
	fmt.Fprint(w, "    esac\n  done\n  COMPREPLY=()\n  case \"$path $prev\" in\n")
	valueCases(w, all, `COMPREPLY=($(compgen -W "%s" -- "$cur")); return`)
	fmt.Fprint(w, "  esac\n  case \"$path\" in\n")
	for _, p := range all {
		fmt.Fprintf(w, "    \"%s\") COMPREPLY=($(compgen -W \"%s\" -- \"$cur\")) ;;\n", p.path, p.words())
	}
	fmt.Fprint(w, "  esac\n}\ncomplete -o default -F _tidemark tidemark\n")
}

func zshCompletion(w io.Writer, all []*prefix) {
	fmt.Fprint(w, "#compdef tidemark\n# Completion of tidemark for zsh; made by: tidemark completion zsh\n_tidemark() {\n"+
		"  local path_typed=\"\" word prev=\"${words[CURRENT-1]}\"\n  local -a choices\n"+
		"  for word in \"${(@)words[2,CURRENT-1]}\"; do\n    case \"$path_typed|$word\" in\n")
	var cases strings.Builder
	pathCases(&cases, all)
	fmt.Fprint(w, strings.ReplaceAll(cases.String(), ") path=", ") path_typed="))
	fmt.Fprint(w, "    esac\n  done\n  case \"$path_typed $prev\" in\n")
	valueCases(w, all, "compadd -- %s; return")
	fmt.Fprint(w, "  esac\n  case \"$path_typed\" in\n")
	quote := strings.NewReplacer("'", `'\''`, ":", `\:`)
	for _, p := range all {
		fmt.Fprintf(w, "    \"%s\") choices=(", p.path)
		for _, c := range append(p.commands, p.flags...) {
			fmt.Fprintf(w, "'%s:%s' ", quote.Replace(c.word), quote.Replace(c.help))
		}
		fmt.Fprint(w, ") ;;\n")
	}
	fmt.Fprint(w, "  esac\n  _describe tidemark choices\n  _files\n}\n"+
		"if [ \"$funcstack[1]\" = _tidemark ]; then _tidemark \"$@\"; else compdef _tidemark tidemark; fi\n")
}

func fishCompletion(w io.Writer, all []*prefix) {
	fmt.Fprint(w, "# Completion of tidemark for fish; made by: tidemark completion fish\n")
	quote := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	for _, p := range all {
		when := fishCondition(p)
		for _, c := range p.commands {
			fmt.Fprintf(w, "complete -c tidemark -n '%s' -a %s -d '%s'\n", when, c.word, quote.Replace(c.help))
		}
		for _, f := range p.flags {
			value := ""
			if f.takesValue {
				value = " -r"
			}
			if f.values != "" {
				value = " -x -a '" + strings.ReplaceAll(f.values, ",", " ") + "'"
			}
			fmt.Fprintf(w, "complete -c tidemark -n '%s' -l %s%s -d '%s'\n", when, strings.TrimPrefix(f.word, "--"), value, quote.Replace(f.help))
		}
	}
}

// fishCondition is when fish should offer what can follow a prefix.
func fishCondition(p *prefix) string {
	var parts []string
	for word := range strings.FieldsSeq(p.path) {
		parts = append(parts, "__fish_seen_subcommand_from "+word)
	}
	if len(p.commands) > 0 {
		var below []string
		for _, c := range p.commands {
			below = append(below, c.word)
		}
		parts = append(parts, "not __fish_seen_subcommand_from "+strings.Join(below, " "))
	}
	if len(parts) == 0 {
		return "true"
	}
	return strings.Join(parts, "; and ")
}
