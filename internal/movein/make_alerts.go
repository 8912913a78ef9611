package movein

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

func (m *maker) makeAlerts(ctx context.Context, all *Objects) error {
	if len(all.Alerts) == 0 {
		return nil
	}
	there, err := m.server.Alerts().List(ctx)
	if err != nil {
		return err
	}
	for _, o := range all.Alerts {
		plain := body{}
		for key, v := range o.Body {
			if key != "services" {
				plain[key] = v
			}
		}
		want, err := as(plain, tidemark.NewAlert()) // with the old ids of services
		if err == nil {
			err = want.Validate()
		}
		at := slices.IndexFunc(there, func(a tidemark.Alert) bool { return strings.EqualFold(a.Name, o.Name) })
		switch {
		case err != nil:
			err = m.done("alert", o, "", 0, err)
		case at >= 0:
			err = m.done("alert", o, There, there[at].ID, nil)
		default:
			err = m.alert(ctx, o, plain, want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// alert makes an alert, and the metrics that it watches and that nothing was
// measured of yet.
func (m *maker) alert(ctx context.Context, o *Object, plain body, want *tidemark.Alert) error {
	for _, c := range want.Conditions {
		if err := m.watched(ctx, c.MetricName); err != nil {
			return err
		}
	}
	services := m.services(o.Name, o.Body["services"])
	m.escalation(o.Name, plain)
	if m.dry {
		return m.done("alert", o, Made, 0, nil)
	}
	plain["services"] = services
	made, err := m.server.Alerts().Create(ctx, plain)
	return m.done("alert", o, Made, made.ID, err)
}

// services are the ids that the services of an alert have here.
func (m *maker) services(alert string, list any) []int64 {
	ids := []int64{}
	old, _ := list.([]any)
	for _, s := range old {
		id, known := m.ids["service"+textOf(s)]
		if !known {
			m.miss("alert "+strconv.Quote(alert), "service %s was not imported: the alert is made without it", textOf(s))
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

// escalation gives the steps of an alert's body the ids of here. One that would
// notify nobody is left out.
func (m *maker) escalation(alert string, b body) {
	old, _ := b["escalation"].([]any)
	steps := []any{}
	for _, s := range old {
		step, _ := s.(body)
		if ids := m.services(alert, step["services"]); len(ids) > 0 {
			steps = append(steps, body{"after_seconds": step["after_seconds"], "services": ids})
		}
	}
	if len(old) > 0 {
		b["escalation"] = steps
	}
}

// watched makes a metric that an alert names, unless there is one.
func (m *maker) watched(ctx context.Context, name string) error {
	key := tidemark.MetricKey(name)
	if m.metrics[key] {
		return nil
	}
	m.metrics[key] = true
	o := &Object{Name: name, Body: body{"type": tidemark.Gauge}}
	_, err := m.server.Metric(ctx, name)
	if err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		return err
	}
	if !m.dry {
		err = m.server.PutMetric(ctx, name, o.Body)
	} else {
		err = nil
	}
	return m.done("metric", o, Made, 0, err)
}

func (m *maker) makeTokens(ctx context.Context, all *Objects) error {
	if len(all.Tokens) == 0 {
		return nil
	}
	there, err := m.server.Tokens().List(ctx)
	if err != nil {
		return err
	}
	for _, o := range all.Tokens {
		at := slices.IndexFunc(there, func(t client.APIToken) bool { return t.Name == o.Name })
		_, err := tidemark.ParseSecret(textOf(o.Body["import_token"]))
		if role := tidemark.Role(textOf(o.Body["role"])); err == nil {
			err = (&tidemark.Token{Name: o.Name, Role: role}).Validate()
		}
		switch {
		case err != nil:
			err = m.done("token", o, "", 0, err)
		case at >= 0:
			err = m.done("token", o, There, there[at].ID, nil)
		case m.dry:
			err = m.done("token", o, Made, 0, nil)
		default:
			made, failed := m.server.Tokens().Create(ctx, o.Body)
			err = m.done("token", o, Made, made.ID, failed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
