package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// prefix is that of all variables of ours.
const prefix = "TIDEMARK_"

// fileSuffix makes a variable name a file that holds the value of a secret.
const fileSuffix = "_FILE"

// fromEnv returns the settings that the environment has.
func fromEnv(table []setting, env func(string) string) (map[string]string, error) {
	values := make(map[string]string)
	var problems []error
	for _, st := range table {
		v, err := st.fromEnv(env)
		if err != nil {
			problems = append(problems, err)
		}
		if v != "" {
			values[st.name] = v
		}
	}
	return values, errors.Join(problems...)
}

// fromEnv returns the setting's value in the environment. A secret may be in a
// file, which is how containers are given theirs.
func (s setting) fromEnv(env func(string) string) (string, error) {
	v, file := env(s.env()), env(s.env()+fileSuffix)
	switch {
	case !s.secret || file == "":
		return v, nil
	case v != "":
		return "", fmt.Errorf("environment: %s and %s: give one of them", s.env(), s.env()+fileSuffix)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("environment: %s: %w", s.env()+fileSuffix, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// readSecrets puts what files hold in the place of keys that name them:
// smtp.password_file: /run/secrets/smtp becomes smtp.password.
func readSecrets(table []setting, values map[string]string) error {
	var problems []error
	for _, st := range table {
		key := st.name + strings.ToLower(fileSuffix)
		path, ok := values[key]
		if !st.secret || !ok {
			continue
		}
		delete(values, key)
		if _, both := values[st.name]; both {
			problems = append(problems, fmt.Errorf("%s and %s: give one of them", st.name, key))
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", key, err))
			continue
		}
		values[st.name] = strings.TrimSpace(string(text))
	}
	return errors.Join(problems...)
}

// UnknownVariables says which variables of an environment look like settings
// and are none, and what was probably meant. They are no errors: Kubernetes
// gives every container variables named after the services of its namespace.
func UnknownVariables(environ []string) []string {
	var known []string
	for _, st := range new(Config).settings() {
		known = append(known, st.env())
		if st.secret {
			known = append(known, st.env()+fileSuffix)
		}
	}
	var problems []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, prefix) || name == prefix+"CONFIG" || slices.Contains(known, name) || fromKubernetes(name) {
			continue
		}
		problem := "there is no setting " + name
		if meant := nearest(known, name); meant != "" {
			problem += "; did you mean " + meant + "?"
		}
		problems = append(problems, problem)
	}
	slices.Sort(problems)
	return problems
}

// fromKubernetes recognizes what a service called tidemark gives its
// neighbours: TIDEMARK_SERVICE_HOST, TIDEMARK_PORT_8433_TCP_ADDR and so on.
func fromKubernetes(name string) bool {
	rest := strings.TrimPrefix(name, prefix)
	return rest == "SERVICE_HOST" || strings.HasPrefix(rest, "SERVICE_PORT") || rest == "PORT" || strings.HasPrefix(rest, "PORT_")
}

// nearest returns the name that differs from a mistyped one by a few letters;
// "" if there is none.
func nearest(names []string, typed string) string {
	best, at := "", 1+len(typed)/4
	for _, name := range names {
		if d := distance(name, typed); d < at {
			best, at = name, d
		}
	}
	return best
}

// distance is how many letters must be changed, added or taken away to make b
// of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
