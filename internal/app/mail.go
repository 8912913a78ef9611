package app

import (
	"context"
	"log/slog"
	"net/mail"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

const (
	maxLetters = 100 // that wait to be sent; more are asked for again
	mailTries  = 3
	mailPause  = 20 * time.Second
)

// openMail returns how to send a letter to one person, or nil where the
// server has no mail.
func (rm *rooms) openMail(cfg *config.Config) func(to, subject, text string) {
	if cfg.SMTP.Host == "" {
		return nil
	}
	rm.mail = make(chan notify.Letter, maxLetters)
	return func(to, subject, text string) {
		select {
		case rm.mail <- notify.Letter{To: to, Subject: subject, Text: text}:
		default: // so many wait that one more is no help to anybody
		}
	}
}

// notifyOptions is how notifications and letters leave.
func (rm *rooms) notifyOptions(cfg *config.Config) notify.Options {
	m := cfg.SMTP
	return notify.Options{
		Client: rm.out, Dial: rm.own.DialContext, BaseURL: cfg.PublicURL, Push: rm.watch.push,
		Mail: notify.Mail{Host: m.Host, Port: int(m.Port), User: m.User, Password: m.Password, From: m.From, TLS: m.TLS},
	}
}

// contact is where operators of push services find whose server this is.
func contact(cfg *config.Config) string {
	if strings.HasPrefix(cfg.PublicURL, "https://") {
		return cfg.PublicURL
	}
	if from, err := mail.ParseAddress(cfg.SMTP.From); err == nil {
		return "mailto:" + from.Address
	}
	return ""
}

// post sends the letters that wait, until ctx is done.
func (rm *rooms) post(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case l := <-rm.mail:
			rm.postOne(ctx, cfg, log, l)
		}
	}
}

func (rm *rooms) postOne(ctx context.Context, cfg *config.Config, log *slog.Logger, l notify.Letter) {
	for try := range mailTries {
		err := notify.SendMail(ctx, rm.notifyOptions(cfg), l)
		if err == nil || ctx.Err() != nil {
			return
		}
		log.Warn("mail was not sent", slog.Int("try", try+1), slog.Any("err", err))
		select {
		case <-ctx.Done():
		case <-time.After(mailPause):
		}
	}
}
