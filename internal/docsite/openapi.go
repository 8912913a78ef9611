package docsite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark/docs"
	"go.yaml.in/yaml/v3"
)

// openAPI is the document of the API, as far as the reference shows it.
type openAPI struct {
	Info struct {
		Description string `yaml:"description"`
	} `yaml:"info"`
	Tags []struct {
		Name string `yaml:"name"`
	} `yaml:"tags"`
	Paths      map[string]pathItem `yaml:"paths"`
	Components struct {
		Parameters    map[string]parameter `yaml:"parameters"`
		RequestBodies map[string]body      `yaml:"requestBodies"`
		Responses     map[string]body      `yaml:"responses"`
		Schemas       map[string]schema    `yaml:"schemas"`
	} `yaml:"components"`
}

type pathItem struct {
	Parameters []parameter `yaml:"parameters"`
	Get        *operation  `yaml:"get"`
	Post       *operation  `yaml:"post"`
	Put        *operation  `yaml:"put"`
	Delete     *operation  `yaml:"delete"`
}

type operation struct {
	ID          string          `yaml:"operationId"`
	Tags        []string        `yaml:"tags"`
	Summary     string          `yaml:"summary"`
	Description string          `yaml:"description"`
	Parameters  []parameter     `yaml:"parameters"`
	RequestBody body            `yaml:"requestBody"`
	Responses   map[string]body `yaml:"responses"`
}

type parameter struct {
	Ref         string `yaml:"$ref"`
	Name        string `yaml:"name"`
	In          string `yaml:"in"`
	Required    bool   `yaml:"required"`
	Description string `yaml:"description"`
	Schema      schema `yaml:"schema"`
}

type body struct {
	Ref         string `yaml:"$ref"`
	Description string `yaml:"description"`
	Content     map[string]struct {
		Schema schema `yaml:"schema"`
	} `yaml:"content"`
}

type schema struct {
	Ref         string            `yaml:"$ref"`
	Type        any               `yaml:"type"` // a name, or several
	Description string            `yaml:"description"`
	Enum        []any             `yaml:"enum"`
	Const       any               `yaml:"const"`
	Items       *schema           `yaml:"items"`
	OneOf       []schema          `yaml:"oneOf"`
	AnyOf       []schema          `yaml:"anyOf"`
	AllOf       []schema          `yaml:"allOf"`
	Properties  map[string]schema `yaml:"properties"`
	Required    []string          `yaml:"required"`
	Minimum     any               `yaml:"minimum"`
	Maximum     any               `yaml:"maximum"`
	MaxLength   any               `yaml:"maxLength"`
	MaxItems    any               `yaml:"maxItems"`
}

func readOpenAPI() (*openAPI, error) {
	var doc openAPI
	err := yaml.Unmarshal(docs.OpenAPI, &doc)
	return &doc, err
}

// last is the name that a reference ends with.
func last(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

// schemaOf is what a request or an answer holds as JSON.
func (b body) schemaOf() (schema, bool) {
	c, ok := b.Content["application/json"]
	return c.Schema, ok
}

// kind says in a few words what a value is.
func (s schema) kind() string {
	switch {
	case s.Ref != "":
		return last(s.Ref)
	case s.Items != nil:
		return "list of " + s.Items.kind()
	case len(s.OneOf) > 0:
		return strings.Join(kinds(s.OneOf), " or ")
	case len(s.AnyOf) > 0 && s.Type == nil:
		return strings.Join(kinds(s.AnyOf), " or ")
	case len(s.AllOf) > 0:
		return strings.Join(kinds(s.AllOf), " and ")
	case s.Const != nil:
		return fmt.Sprint(s.Const)
	}
	if names, ok := s.Type.([]any); ok {
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(names), "[]"), " ", " or ")
	}
	if name, ok := s.Type.(string); ok {
		return name
	}
	return "anything"
}

// written is a value as JSON has it.
func written(v any) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprint(v)
}

func kinds(all []schema) []string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.kind()
	}
	return names
}

// about is the description with the bounds of the value.
func (s schema) about() string {
	parts := []string{s.Description}
	if len(s.Enum) > 0 {
		var values []string
		for _, v := range s.Enum {
			values = append(values, written(v))
		}
		parts = append(parts, "One of "+strings.Join(values, ", "))
	}
	for _, b := range []struct {
		text  string
		value any
	}{{"At least %v", s.Minimum}, {"At most %v", s.Maximum}, {"At most %v characters", s.MaxLength}, {"At most %v entries", s.MaxItems}} {
		if b.value != nil {
			parts = append(parts, fmt.Sprintf(b.text, b.value))
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ". ")
}
