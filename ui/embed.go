// Package ui serves the web interface: the files that Vite leaves in dist,
// inside the binary. It knows nothing of the API; the pages talk to it.
package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed all:dist
var dist embed.FS

// notBuilt is shown by a binary that was made without the interface.
const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tidemark</title>
<h1>Tidemark is running</h1>
<p>This binary was built without its web interface. Run <code>make build</code>, which needs Node.js, or use the API under <code>/v1</code>.</p>
</html>`

// What index.html has where something goes that the server knows.
const (
	nonceMark  = "__NONCE__"  // the nonce of the response
	prefixMark = "__PREFIX__" // the path below which clients reach the server
	fromHere   = `="./`       // how addresses of files begin
)

// pages are the first parts of the addresses that pages of the interface have:
// those of src/routes.tsx.
var pages = []string{
	"", "acknowledge", "alerts", "annotations", "checks", "enrol", "explore", "invite", "maintenance", "metrics", "more", "objectives", "operator", "organization", "playlists", "reset", "s", "send", "settings", "setup", "signin", "spaces",
}

// isPage reports whether the interface has a page at an address, with or
// without the organization that it is of: o/7/alerts is alerts.
func isPage(name string) bool {
	if inOrg, ok := strings.CutPrefix(name, "o/"); ok {
		_, name, _ = strings.Cut(inOrg, "/")
	}
	first, _, _ := strings.Cut(name, "/")
	return slices.Contains(pages, first)
}

// Handler serves the interface: files as they are, and index.html for the
// addresses of its pages. A program that looks for something here went wrong:
// it is answered by programs instead, since it could not read a page. Clients
// reach everything below prefix ("" or "/tidemark"), which requests no longer
// have.
func Handler(programs http.Handler, prefix string) http.Handler {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // dist is embedded: it is there or the program does not compile
	}
	return newHandler(files, programs, prefix)
}

func newHandler(files fs.FS, programs http.Handler, prefix string) http.Handler {
	index, err := fs.ReadFile(files, "index.html")
	built := err == nil
	// Pages have addresses of any depth, so that those of files are written in full.
	index = bytes.ReplaceAll(index, []byte(fromHere), []byte(`="`+prefix+"/"))
	index = bytes.ReplaceAll(index, []byte(prefixMark), []byte(prefix))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if isRead && name != "index.html" && serveFile(w, r, files, name) {
			return
		}
		if isProgram(r) {
			programs.ServeHTTP(w, r)
			return
		}
		if !isRead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		if strings.HasPrefix(name, "assets/") {
			// A page of an older version asks for its parts: a page in their place would only confuse it.
			http.NotFound(w, r)
			return
		}
		status := http.StatusOK
		if !isPage(name) {
			if !strings.Contains(r.Header.Get("Accept"), "text/html") {
				programs.ServeHTTP(w, r)
				return
			}
			status = http.StatusNotFound // the interface says so to people
		}
		if !built {
			secure(w.Header(), "")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(notBuilt))
			return
		}
		serveIndex(w, r, status, index)
	})
}

// isProgram reports whether r comes from a program and not from a browser that
// opens a page: it has credentials or wants JSON, and does not take HTML.
func isProgram(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return !strings.Contains(accept, "text/html") && (r.Header.Get("Authorization") != "" || strings.Contains(accept, "application/json"))
}

// serveFile answers with a file of the build, compressed if the client takes
// that, and reports whether there is such a file.
func serveFile(w http.ResponseWriter, r *http.Request, files fs.FS, name string) bool {
	if name == "" || strings.HasSuffix(name, ".gitkeep") || strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz") {
		return false
	}
	content, encoding, ok := pick(r, files, name)
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", contentType(name))
	if strings.HasPrefix(name, "assets/") {
		securePart(h)
		// The name holds a hash of the content.
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		secure(h, "")
		h.Set("Cache-Control", "no-cache")
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Vary", "Accept-Encoding")
	write(w, r, http.StatusOK, content)
	return true
}

// pick returns a file in an encoding that the client takes. Texts are in the
// binary compressed alone, since nearly every client takes them so.
func pick(r *http.Request, files fs.FS, name string) (content []byte, encoding string, ok bool) {
	for _, c := range []struct{ encoding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !accepts(r, c.encoding) {
			continue
		}
		if content, err := fs.ReadFile(files, name+c.suffix); err == nil {
			return content, c.encoding, true
		}
	}
	if content, err := fs.ReadFile(files, name); err == nil {
		return content, "", true
	}
	packed, err := files.Open(name + ".gz")
	if err != nil {
		return nil, "", false
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, "", false
	}
	content, err = io.ReadAll(z)
	return content, "", err == nil
}

// serveIndex answers with the page that loads everything else. Styles that
// scripts write into the page need the nonce of the response.
func serveIndex(w http.ResponseWriter, r *http.Request, status int, index []byte) {
	var raw [18]byte
	_, _ = rand.Read(raw[:]) // never fails
	nonce := base64.RawURLEncoding.EncodeToString(raw[:])
	secure(w.Header(), nonce)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	write(w, r, status, bytes.ReplaceAll(index, []byte(nonceMark), []byte(nonce)))
}

func write(w http.ResponseWriter, r *http.Request, status int, content []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content)
	}
}

// secure sets the headers that keep other sites and injected text out.
func secure(h http.Header, nonce string) {
	style := "'self'"
	if nonce != "" {
		style += " 'nonce-" + nonce + "'"
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src "+style+
		"; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'"+
		"; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
}

// securePart sets the headers of a part of a page, which is no page itself: the
// policy is for those that run on their own, beside it, one of which listens to
// the server. Twenty parts with all the headers of pages would be a quarter of
// a second on a slow line.
func securePart(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'")
	h.Set("X-Content-Type-Options", "nosniff")
}

func accepts(r *http.Request, encoding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name == encoding && strings.ReplaceAll(quality, " ", "") != "q=0" {
			return true
		}
	}
	return false
}

func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".webmanifest":
		return "application/manifest+json"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	default:
		if t := mime.TypeByExtension(ext); t != "" {
			return t
		}
		return "application/octet-stream"
	}
}
