package rest

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// Site is how clients reach the server, and where it logs.
type Site struct {
	Logger *slog.Logger
	// PublicURL is how clients reach the server ("https://host", or below a
	// path prefix "https://host/tidemark"); where
	// empty, links are made from what each request says.
	PublicURL string
	// TrustedProxies are believed about where requests come from.
	TrustedProxies []netip.Prefix

	// Turns is how requests share the processors; nil if they do not.
	Turns *turns.Turns

	firewall http.CrossOriginProtection
	large    largeBodies
	// untrusted warns once of a proxy that the settings do not name.
	untrusted sync.Once
}

// trusts reports whether a proxy of the operator's sent r. What others say
// about where a request comes from is their own invention.
func (s *Site) trusts(addr netip.Addr) bool {
	for _, p := range s.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// Address is where r comes from: its peer, or, if that is a trusted proxy, the
// last address that the proxies report and that is not one of them. Whatever
// stands before it may have been made up by the client.
func (s *Site) Address(r *http.Request) string {
	peer := peerHost(r)
	addr, err := netip.ParseAddr(peer)
	forwarded := r.Header.Values("X-Forwarded-For")
	if err != nil || len(forwarded) == 0 {
		return peer
	}
	if !s.trusts(addr.Unmap()) {
		s.warnOfProxy(r)
		return peer
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusts(addr.Unmap()); i-- {
		hop, ok := parseHop(hops[i])
		if !ok {
			break // the last one that can be read is all there is to know
		}
		addr = hop
	}
	return addr.Unmap().WithZone("").String()
}

// parseHop reads one entry of X-Forwarded-For; some proxies add the port.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr(), true
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return addr, err == nil
}

// warnOfProxy says once that there seems to be a proxy that the settings do
// not name: all people then share one address, and its limits.
func (s *Site) warnOfProxy(r *http.Request) {
	s.untrusted.Do(func() {
		s.Logger.LogAttrs(r.Context(), slog.LevelWarn, "X-Forwarded-For is ignored: its sender is not one of trusted_proxies",
			slog.String("sender", peerHost(r)))
	})
}

// isHTTPS reports whether the client reached the server, or the trusted proxy
// in front of it, by TLS.
func (s *Site) isHTTPS(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	addr, err := netip.ParseAddr(peerHost(r))
	// Proxies in a row add theirs at the end; the first is the client's.
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	return err == nil && s.trusts(addr.Unmap()) && strings.EqualFold(strings.TrimSpace(first), "https")
}

// peerHost is the other end of the connection that brought r.
func peerHost(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// Prefix is the path below which clients reach the server, without a slash at
// its end: "" or "/tidemark".
func (s *Site) Prefix() string {
	u, err := url.Parse(s.PublicURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.Path, "/")
}

// location is where a path of ours is for clients; other addresses stay.
func (s *Site) location(to string) string {
	if strings.HasPrefix(to, "/") {
		return s.Prefix() + to
	}
	return to
}

// BelowPrefix takes the prefix off requests that have it. A proxy may have
// done so already.
func (s *Site) BelowPrefix(next http.Handler) http.Handler {
	prefix := s.Prefix()
	if prefix == "" {
		return next
	}
	cut := http.StripPrefix(prefix, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == prefix:
			http.Redirect(w, r, prefix+"/", http.StatusPermanentRedirect)
		case strings.HasPrefix(r.URL.Path, prefix+"/"):
			cut.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// SelfURL is the address of r without its query, as the client has to ask for
// it again: in the organization that it named.
func (s *Site) SelfURL(r *http.Request) string {
	prefix := ""
	if org, ok := r.Context().Value(orgKey{}).(string); ok {
		prefix = OrgRoot + url.PathEscape(org)
	}
	return s.BaseURL(r) + prefix + r.URL.EscapedPath()
}

// BaseURL is the beginning of absolute links in the answer to r. Without a
// public URL it is what the client says, so that no link that others get may
// begin with it.
func (s *Site) BaseURL(r *http.Request) string {
	if s.PublicURL != "" {
		return strings.TrimSuffix(s.PublicURL, "/")
	}
	scheme := "http"
	if s.isHTTPS(r) {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
