package app

import (
	"context"
	"log/slog"
	"net/url"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auditlog"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

// audit is where entries of the audit log are sent on to. Either may be nil.
type audit struct {
	file    *auditlog.File
	webhook *auditlog.Webhook
}

// openAudit has the entries of the audit log sent on to where the settings
// say. It comes before anything is changed.
func (rm *rooms) openAudit(cfg *config.Config, log *slog.Logger) (err error) {
	if cfg.Audit.File != "" {
		if rm.audit.file, err = auditlog.OpenFile(cfg.Audit.File); err != nil {
			return err
		}
	}
	failed := func(err error) { log.Error("audit log not exported", slog.Any("err", err)) }
	if cfg.Audit.Webhook != "" {
		u, err := url.Parse(cfg.Audit.Webhook)
		if err != nil {
			return err
		}
		rm.own.AllowURL(u)
		rm.audit.webhook = auditlog.NewWebhook(cfg.Audit.Webhook, rm.own.HTTP(), failed)
		if cfg.Audit.WebhookSecret != "" {
			rm.audit.webhook.Signing = &tidemark.Signing{Secret: cfg.Audit.WebhookSecret}
		}
	}
	rm.store.WatchAudit(func(e *tidemark.AuditEntry) {
		if rm.audit.file != nil {
			if err := rm.audit.file.Add(e); err != nil {
				failed(err)
			}
		}
		if rm.audit.webhook != nil {
			if err := rm.audit.webhook.Add(e); err != nil {
				failed(err)
			}
		}
	})
	return nil
}

// run sends to the webhook, if there is one, until ctx is done.
func (a *audit) run(ctx context.Context) error {
	if a.webhook == nil {
		return nil
	}
	return a.webhook.Run(ctx)
}

// dropped is how many entries did not reach the webhook.
func (a *audit) dropped() int64 {
	if a.webhook == nil {
		return 0
	}
	return a.webhook.Dropped()
}

func (a *audit) close() error {
	if a.file == nil {
		return nil
	}
	return a.file.Close()
}
