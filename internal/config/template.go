package config

import (
	"fmt"
	"strings"
)

// Described is a setting as documents tell of it.
type Described struct{ Name, Env, Default, Help string }

// List describes all settings.
func List() []Described {
	var all []Described
	for _, st := range new(Config).settings() {
		all = append(all, Described{st.name, st.env(), st.def, st.help})
	}
	return all
}

const templateHead = `# Settings of Tidemark. A line that begins with "#" and a name has the default:
# remove the "#" to change it. Variables of the environment (TIDEMARK_LISTEN)
# go before this file. Secrets can be in files of their own: write
# smtp.password_file and the path instead of smtp.password.
#
# tidemark config shows what is in force. After a change: systemctl restart
# tidemark; log_level and the certificate need only systemctl reload tidemark.
`

// Template is a settings file with every setting in it, commented out: first
// those that stand alone, then the groups.
func Template() string {
	alone, groups, order := "", make(map[string]string), []string(nil)
	for _, st := range new(Config).settings() {
		group, name, nested := strings.Cut(st.name, ".")
		if !nested {
			alone += fmt.Sprintf("\n# %s\n#%s: %s\n", st.help, st.name, yamlValue(st.def))
			continue
		}
		if _, known := groups[group]; !known {
			order = append(order, group)
		}
		groups[group] += fmt.Sprintf("\n#   %s\n#  %s: %s\n", st.help, name, yamlValue(st.def))
	}
	text := templateHead + alone
	for _, group := range order {
		text += "\n#" + group + ":\n" + groups[group]
	}
	return text
}

// yamlValue writes a default so that YAML reads it back as it is.
func yamlValue(v string) string {
	if v == "" {
		return `""`
	}
	return v
}
