package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

// watch is what evaluates alerts and notifies services.
type watch struct {
	reader alerting.Reader
	// evaluator is the one that evaluates, or would: where several servers
	// share the alerts, each turn of evaluating them has one of its own.
	evaluator atomic.Pointer[alerting.Evaluators]
	// elsewhere is when the alerts were last evaluated by another server.
	elsewhere  atomic.Int64
	dispatcher *alerting.Dispatcher
	mails      *alerting.Mails
	send       alerting.Send
	pictures   *alerting.Pictures
	links      *alerting.AcknowledgeLinks
	push       *notify.VAPID
}

func (rm *rooms) openWatch(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	rm.watch.reader = alerting.Reader{Engine: rm.engine, Metrics: rm.store, Composites: rm.querier, Spellings: rm.spellings, Windows: rm.store, Turns: rm.turns}
	pictures, err := alerting.NewPictures(ctx, rm.store, rm.watch.reader, cfg.PublicURL)
	if err != nil {
		return err
	}
	rm.watch.pictures = pictures
	if rm.watch.links, err = alerting.NewAcknowledgeLinks(ctx, rm.store, cfg.PublicURL); err != nil {
		return err
	}
	rm.watch.push = notify.NewVAPID(rm.store.PushKey, contact(cfg))
	rm.watch.mails = alerting.NewMails(rm.limits, log)
	rm.watch.send = rm.watch.mails.Limited(alerting.NewSend(alerting.SendOptions{
		Notify: rm.notifyOptions(cfg), Spellings: rm.spellings,
		Account: rm.store.Account, Image: pictures.Image, Acknowledge: rm.watch.links.Link, Gone: rm.store.ForgetDevice,
	}))
	rm.watch.dispatcher = alerting.NewDispatcher(alerting.DispatcherOptions{
		Store: rm.store, Send: rm.meters.sending(rm.watch.send), Logger: log, GiveUpAfter: cfg.Alerting.GiveUpAfter, Keep: cfg.Alerting.Keep, Limits: rm.limits,
	})
	rm.watch.evaluator.Store(rm.newEvaluator(rm.store, log))
	return nil
}

func (rm *rooms) newEvaluator(st alerting.Store, log *slog.Logger) *alerting.Evaluators {
	return alerting.NewEvaluators(alerting.Options{
		Store: st, Reader: rm.watch.reader, Logger: log, OnNotice: rm.watch.dispatcher.Wake, Limits: rm.limits,
	})
}

// health is how the evaluation of alerts is doing, as far as it is known here.
func (w *watch) health() alerting.Health {
	h := w.evaluator.Load().Health()
	h.EvaluatedAt = max(h.EvaluatedAt, w.elsewhere.Load())
	return h
}

// evaluatedAt is when the alerts of org were last evaluated, here or elsewhere.
func (w *watch) evaluatedAt(org tidemark.OrgID) int64 {
	return max(w.evaluator.Load().EvaluatedAtOf(org), w.elsewhere.Load())
}

// alerting is what the API asks of it.
func (w *watch) alerting(cfg *config.Config) shared.Alerting {
	return shared.Alerting{
		Backtest: w.reader.Backtest,
		Gaps:     w.reader.Gaps,
		Test: func(ctx context.Context, who tidemark.Identity, a *tidemark.Alert) (*tidemark.Delivery, []tidemark.TestResult, error) {
			if err := w.mails.AllowTest(ctx, who, a.Services); err != nil {
				return nil, nil, err
			}
			return w.dispatcher.Test(ctx, w.send, who.Org, a, w.reader.Units(ctx, who.Org, a), time.Now())
		},
		EvaluatedAt: w.evaluatedAt,
		Troubles:    func(org tidemark.OrgID) map[int64]tidemark.AlertTrouble { return w.evaluator.Load().Troubles(org) },
		Deliver:     w.dispatcher.Wake,
		MaxTries:    alerting.MaxTries(cfg.Alerting.GiveUpAfter),
		Picture:     w.pictures.Draw,
		OpenLink:    w.links.Open,
		Link:        w.links.Link,
		PushKey:     w.push.PublicKey,
	}
}
