// Package config gathers the settings of the server from their four sources:
// defaults, a file, the environment and flags, each stronger than the one
// before. The list of all settings is in settings.go.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Sources names where the settings come from.
type Sources struct {
	File  string              // path of the file; "" for none
	Env   func(string) string // os.Getenv
	Flags map[string]string   // by name of the setting
}

// Value is one setting as it came out, for people to read.
type Value struct {
	Name  string `json:"name"`
	Env   string `json:"env"`
	Value string `json:"value"`
	From  string `json:"from"`
	Help  string `json:"help"`
}

// Load returns the settings and where each came from. All that is wrong is
// reported at once, by name.
func Load(src Sources) (*Config, []Value, error) {
	c := &Config{}
	table := c.settings()
	origin := make(map[string]string, len(table))
	var problems []error
	apply := func(from string, values map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			st, ok := find(table, name)
			if !ok && values[name] == "" && isGroup(table, name) {
				continue // a group with nothing below it sets nothing
			}
			if !ok {
				problems = append(problems, fmt.Errorf("%s: there is no setting %q%s", from, name, suggestion(table, name)))
				continue
			}
			if err := st.set(values[name]); err != nil {
				problems = append(problems, fmt.Errorf("%s: %s: %w", from, name, err))
				continue
			}
			origin[name] = from
		}
	}
	apply("default", defaults(table))
	file, err := readFile(src.File)
	if err != nil {
		return nil, nil, err
	}
	if err := readSecrets(table, file); err != nil {
		problems = append(problems, fmt.Errorf("file %s: %w", src.File, err))
	}
	apply("file "+src.File, file)
	env, err := fromEnv(table, src.Env)
	if err != nil {
		problems = append(problems, err)
	}
	apply("environment", env)
	apply("flag", src.Flags)
	if len(problems) > 0 {
		return nil, nil, errors.Join(problems...)
	}
	return c, shown(table, origin), c.check()
}

// Changed names the settings whose values differ, in the order of the list.
func Changed(a, b *Config) []string {
	var names []string
	before := a.settings()
	for i, after := range b.settings() {
		if after.get() != before[i].get() {
			names = append(names, after.name)
		}
	}
	return names
}

func find(table []setting, name string) (setting, bool) {
	i := slices.IndexFunc(table, func(s setting) bool { return s.name == name })
	if i < 0 {
		return setting{}, false
	}
	return table[i], true
}

// suggestion names the setting that was probably meant: one whose last part
// was given alone, or one that was mistyped.
func suggestion(table []setting, name string) string {
	plain := strings.NewReplacer("_", "", "-", "", ".", "")
	var names []string
	for _, st := range table {
		last := st.name[strings.LastIndex(st.name, ".")+1:]
		if strings.EqualFold(plain.Replace(last), plain.Replace(name)) {
			return fmt.Sprintf("; did you mean %q?", st.name)
		}
		names = append(names, st.name)
	}
	if meant := nearest(names, name); meant != "" {
		return fmt.Sprintf("; did you mean %q?", meant)
	}
	return ""
}

func defaults(table []setting) map[string]string {
	values := make(map[string]string, len(table))
	for _, st := range table {
		values[st.name] = st.def
	}
	return values
}

// readFile returns the settings of a YAML file, nested keys joined by dots.
func readFile(path string) (map[string]string, error) {
	values := make(map[string]string)
	if path == "" {
		return values, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	var tree map[string]yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&tree); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read settings: %s: %w", path, err)
	}
	if err := flatten(values, "", tree); err != nil {
		return nil, fmt.Errorf("read settings: %s: %w", path, err)
	}
	return values, nil
}

// isGroup reports whether name is what names of settings begin with.
func isGroup(table []setting, name string) bool {
	return slices.ContainsFunc(table, func(st setting) bool { return strings.HasPrefix(st.name, name+".") })
}

// flatten takes every value as it is written: 0123 is a password, not a number
// of another base.
func flatten(into map[string]string, prefix string, tree map[string]yaml.Node) error {
	for key, node := range tree {
		name := prefix + key
		if node.Kind == yaml.AliasNode {
			node = *node.Alias
		}
		switch node.Kind {
		case yaml.MappingNode:
			var below map[string]yaml.Node
			if err := node.Decode(&below); err != nil {
				return err
			}
			if err := flatten(into, name+".", below); err != nil {
				return err
			}
		case yaml.SequenceNode:
			parts := make([]string, len(node.Content))
			for i, item := range node.Content {
				if item.Kind != yaml.ScalarNode {
					return fmt.Errorf("line %d: %s: must be a list of values", item.Line, name)
				}
				parts[i] = item.Value
			}
			into[name] = strings.Join(parts, ",")
		default:
			into[name] = scalar(&node)
		}
	}
	return nil
}

// scalar is a value as it is written; "" for null.
func scalar(node *yaml.Node) string {
	if node.ShortTag() == "!!null" {
		return ""
	}
	return node.Value
}

func shown(table []setting, origin map[string]string) []Value {
	values := make([]Value, len(table))
	for i, st := range table {
		v := st.get()
		if st.secret && v != "" {
			v = "(set)"
		}
		values[i] = Value{Name: st.name, Env: st.env(), Value: v, From: origin[st.name], Help: st.help}
	}
	return values
}
