package app

import (
	_ "embed"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// agentScript installs the agent on a machine.
//
//go:embed agent.sh
var agentScript string

// plainURL is what can stand in the script: the address comes from the
// request where the operator set none.
var plainURL = regexp.MustCompile(`^https?://[A-Za-z0-9.:\[\]_-]+(/[A-Za-z0-9._/-]*)?$`)

// giveAgentScript answers GET /agent.sh, with the address of this server inside.
func (rm *rooms) giveAgentScript(w http.ResponseWriter, r *http.Request) {
	base := rm.site.BaseURL(r)
	if !plainURL.MatchString(base) {
		http.Error(w, "the address of this server is not one that a script can have", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/x-shellscript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(strings.ReplaceAll(agentScript, "@SERVER@", base)))
}

// giveAgent answers GET /agent/{os}/{arch}: the program of the agent.
func (rm *rooms) giveAgent(w http.ResponseWriter, r *http.Request) {
	path := agentProgram(r.PathValue("os"), r.PathValue("arch"))
	if path == "" {
		http.Error(w, "this server has no agent for "+r.PathValue("os")+"/"+r.PathValue("arch"), http.StatusNotFound)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		http.Error(w, "the agent cannot be read", http.StatusInternalServerError)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		http.Error(w, "the agent cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "tidemark-agent", info.ModTime(), f)
}

var plainWord = regexp.MustCompile(`^[a-z0-9]+$`)

// agentProgram finds the agent for a platform: a file beside the server's own
// program. The server's is an agent too, where it is called by that name; it
// is only larger.
func agentProgram(system, arch string) string {
	self, err := os.Executable()
	if err != nil || !plainWord.MatchString(system) || !plainWord.MatchString(arch) {
		return ""
	}
	dir, ours := filepath.Dir(self), system == runtime.GOOS && arch == runtime.GOARCH
	names := []string{"tidemark-agent_" + system + "_" + arch}
	if ours {
		names = append(names, "tidemark-agent")
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	if ours {
		return self
	}
	return ""
}
