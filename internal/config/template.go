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

// Template is a settings file with every setting in it, commented out.
func Template() string {
	var s strings.Builder
	s.WriteString(templateHead)
	group := ""
	for _, st := range new(Config).settings() {
		in, name, nested := strings.Cut(st.name, ".")
		indent := ""
		if !nested {
			in, name = "", st.name
		} else {
			indent = "  "
		}
		if in != group {
			group = in
			fmt.Fprintf(&s, "\n#%s:\n", in)
		}
		fmt.Fprintf(&s, "\n# %s%s\n#%s%s: %s\n", indent, st.help, indent, name, yamlValue(st.def))
	}
	return s.String()
}

// yamlValue writes a default so that YAML reads it back as it is.
func yamlValue(v string) string {
	if v == "" {
		return `""`
	}
	return v
}
