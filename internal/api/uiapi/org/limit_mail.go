package org

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// mailOperators tells the operators by mail what somebody asks them for, where
// the server sends mail: each one once for a request.
func (s *API) mailOperators(ctx context.Context, who tidemark.Identity, v *tidemark.LimitRequest) error {
	org, err := s.Store.Org(ctx, who.Org)
	if err != nil {
		return err
	}
	operators, err := s.Store.Operators(ctx)
	if err != nil {
		return err
	}
	subject, text := limitMail(org.Name, who.Name, v, s.MailURL())
	for _, u := range operators {
		s.SendMail(u.Email, subject, text)
	}
	return nil
}

// limitMail is the mail about a request. What people wrote is marked as theirs,
// so that nobody takes it for the server's.
func limitMail(org, who string, v *tidemark.LimitRequest, base string) (subject, text string) {
	l, _ := tidemark.LimitCalled(v.Name)
	use := ""
	if v.Use != nil {
		use = fmt.Sprintf(", in use are %d", *v.Use)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s asks for %d %s. Allowed are %d%s.\n\n", who, org, v.Wanted, l.Unit, v.Allowed, use)
	if v.Note != "" {
		fmt.Fprintf(&b, "They say:\n> %s\n\n", strings.Join(strings.Split(v.Note, "\n"), "\n> "))
	}
	fmt.Fprintf(&b, "Accept or decline it here: %s/operator/limits?org=%d\n\nYou get this because you are an operator of this server.\n", base, v.Org)
	return org + " asks for more: " + l.Title, b.String()
}
