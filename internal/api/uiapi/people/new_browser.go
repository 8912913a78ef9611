package people

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// withSignIn returns rep with the cookies of somebody who just signed in, and
// has them told where the browser is new.
func (s *API) withSignIn(r *http.Request, rep rest.Reply, secret tidemark.Secret, v *tidemark.Session) rest.Reply {
	if v.NewBrowser && s.SendsMail() {
		s.After(r.Context(), "mail about a sign-in from a new browser", func(ctx context.Context) error {
			return s.mailNewBrowser(ctx, v)
		})
	}
	rep = s.WithCookie(r, rep, secret)
	rep.Cookies = append(rep.Cookies, s.BrowserCookie(r, v.Browser))
	return rep
}

// mailNewBrowser tells a person that somebody signed in as them from a browser
// that was not seen before. Who signs in again and again does not fill their
// mailbox: the audit log has all of it.
func (s *API) mailNewBrowser(ctx context.Context, v *tidemark.Session) error {
	u, err := s.Store.User(ctx, v.User)
	if err != nil {
		return err
	}
	if s.Auth.MayMailSignIn(u.Email) {
		s.SendMail(u.Email, "Sign-in from a new browser", newBrowserMail(u.Email, v, s.MailURL()))
	}
	return nil
}

// newBrowserMail is the mail about a sign-in from a new browser. Of what the
// browser calls itself it says only what the server knows: the rest is chosen
// by whoever signed in.
func newBrowserMail(email string, v *tidemark.Session, base string) string {
	return fmt.Sprintf("Somebody signed in to Tidemark as %s from a browser that was not seen before.\n\n"+
		"When: %s\nBrowser: %s\nAddress: %s\n\n"+
		"If it was you, there is nothing to do. If not, end that session and change your password: %s/settings/sessions\n",
		email, time.Unix(v.CreatedAt, 0).UTC().Format("2 January 2006, 15:04 UTC"), browserName(v.UserAgent), v.Address, base)
}

// programs and systems are what browsers call themselves, and what people call
// them. Many claim to be others too: the first that fits counts.
var (
	programs = [][2]string{{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Chromium/", "Chrome"}, {"Safari/", "Safari"}}
	systems  = [][2]string{{"iPhone", "iOS"}, {"iPad", "iOS"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}}
)

// browserName is what a person calls a browser: "Firefox on Linux".
func browserName(userAgent string) string {
	called := func(names [][2]string) string {
		for _, n := range names {
			if strings.Contains(userAgent, n[0]) {
				return n[1]
			}
		}
		return ""
	}
	program, system := called(programs), called(systems)
	switch {
	case program == "":
		return "not a browser that Tidemark knows"
	case system == "":
		return program
	}
	return program + " on " + system
}
