package shared

import (
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// SendsMail reports whether the server sends mail to people. Links in it begin
// with the public URL and nothing else: the host of a request is chosen
// by its sender, who need not be the one who gets the mail.
func (s *Base) SendsMail() bool { return s.SendMail != nil && s.PublicURL != "" }

// MailURL is what links in mail begin with.
func (s *Base) MailURL() string { return strings.TrimSuffix(s.PublicURL, "/") }

// Browser is the browser that sent r.
func (s *Base) Browser(r *http.Request) auth.Browser {
	return auth.Browser{UserAgent: r.UserAgent(), Address: s.Address(r), Key: s.BrowserKey(r)}
}

// OrgOfOwn is an organization that somebody is a member of.
type OrgOfOwn struct {
	ID   tidemark.OrgID `json:"id"`
	Name string         `json:"name"`
	Role tidemark.Role  `json:"role" wire:"admin|member|viewer"`
}

// NameBody is a new name.
type NameBody struct {
	Name string `json:"name"`
}
