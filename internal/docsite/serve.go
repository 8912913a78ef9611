package docsite

import (
	"bytes"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Handler serves the site below prefix ("/docs/").
func Handler(prefix string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := built()
		if err != nil {
			http.Error(w, "the documentation of this binary cannot be read: "+err.Error(), http.StatusInternalServerError)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, prefix)
		if _, isFolder := s.files[name+"/index.html"]; isFolder {
			// Relative, since the client may see the site below another path.
			w.Header().Set("Location", path.Base(name)+"/")
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		s.serve(w, r, name)
	})
}

func (s *site) serve(w http.ResponseWriter, r *http.Request, name string) {
	content, ok := s.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// Write writes the site into a folder, for a server of static files. It
// returns how many files it wrote.
func Write(dir string) (int, error) {
	s, err := built()
	if err != nil {
		return 0, err
	}
	for name, content := range s.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return 0, err
		}
	}
	return len(s.files), nil
}
