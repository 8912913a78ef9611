package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// deployment reads a file of packaging.
func deployment(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../packaging/" + name)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// given are the values of variables that whoever uses the files must give.
var given = map[string]string{"TIDEMARK_DATABASE": "postgres://db/tidemark", "TIDEMARK_CLICKHOUSE_URLS": "http://ch:8123"}

// variable is ${NAME:-default} or ${NAME:?why it is needed}.
var variable = regexp.MustCompile(`^\$\{([A-Z_]+):([-?])(.*)\}$`)

// filledIn is a value of a compose file once Compose has filled it in.
func filledIn(t *testing.T, value string) string {
	t.Helper()
	m := variable.FindStringSubmatch(value)
	switch {
	case m == nil && strings.Contains(value, "$"):
		t.Errorf("%s is not understood", value)
	case m == nil:
		return value
	case m[2] == "-":
		return m[3]
	}
	if given[m[1]] == "" {
		t.Errorf("%s has to be given, and no document says so", m[1])
	}
	return given[m[1]]
}

// TestComposeFiles: every server of the compose files gets settings that there
// are and that go together; the cluster has three, alike, behind a balancer
// whose address they trust.
func TestComposeFiles(t *testing.T) {
	t.Parallel()
	for file, engines := range map[string][]string{"compose.yaml": {"embedded"}, "compose-cluster.yaml": {"clickhouse", "clickhouse", "clickhouse"}} {
		var f struct {
			Services map[string]struct {
				Image       string
				Environment map[string]string
			}
			Configs  map[string]struct{ Content string }
			Networks map[string]struct {
				IPAM struct{ Config []struct{ Subnet string } }
			}
		}
		deployment(t, file, &f)
		var found []string
		for name, s := range f.Services {
			if !strings.Contains(s.Image, "/tidemark:") {
				continue
			}
			env := make(map[string]string)
			for name, value := range s.Environment {
				env[name] = filledIn(t, value)
			}
			c, values, err := load(t, "", env, nil)
			if err != nil {
				t.Errorf("%s: %s: %v", file, name, err)
				continue
			}
			if unknown := unknownOf(values, env); len(unknown) > 0 {
				t.Errorf("%s: %s: there are no settings %v", file, name, unknown)
			}
			found = append(found, c.Engine)
			if c.Engine == "clickhouse" && !strings.Contains(f.Configs["haproxy"].Content, "server "+name+" "+name+":8433") {
				t.Errorf("%s: the balancer does not know %s", file, name)
			}
			for _, n := range f.Networks {
				if len(c.TrustedProxies) != 1 || n.IPAM.Config[0].Subnet != c.TrustedProxies[0].String() {
					t.Errorf("%s: %s trusts %v, the network is %v", file, name, c.TrustedProxies, n.IPAM.Config)
				}
			}
		}
		if strings.Join(found, " ") != strings.Join(engines, " ") {
			t.Errorf("%s: servers with the engines %v", file, found)
		}
	}
}

// unknownOf are the variables that set nothing.
func unknownOf(values []Value, env map[string]string) (unknown []string) {
	for name := range env {
		known := false
		for _, v := range values {
			known = known || v.Env == name
		}
		if !known {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// TestClusterValues: the settings in the values of the chart's many-machine
// shape go together, with what its Secret is to hold.
func TestClusterValues(t *testing.T) {
	t.Parallel()
	var values struct {
		Replicas       int
		Settings       map[string]any
		ExistingSecret string `yaml:"existingSecret"`
		SecretsKey     string `yaml:"secretsKey"`
		Persistence    struct{ Enabled bool }
	}
	deployment(t, "helm/tidemark/values-cluster.yaml", &values)
	file, err := yaml.Marshal(values.Settings)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := load(t, string(file), given, nil)
	if err != nil || c.Engine != "clickhouse" || len(c.ClickHouse.URLs) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if values.Replicas != 3 || values.ExistingSecret == "" || values.SecretsKey == "" || values.Persistence.Enabled {
		t.Errorf("%+v", values)
	}
	text, err := os.ReadFile("../../packaging/helm/tidemark/values-cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{values.ExistingSecret, values.SecretsKey} {
		if !strings.Contains(string(text), "kubectl create secret generic "+name+" ") {
			t.Errorf("the file does not say how to make the Secret %s", name)
		}
	}
}
