package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/tidemark-metrics/tidemark"
)

// Resource is a family of things that have ids.
type Resource[T any] struct {
	c          *Client
	path, noun string
}

// List returns all of them.
func (r Resource[T]) List(ctx context.Context) ([]T, error) {
	return all[T](ctx, r.c, r.path, r.noun, nil)
}

// Named returns those whose name the server finds for name.
func (r Resource[T]) Named(ctx context.Context, name string) ([]T, error) {
	return all[T](ctx, r.c, r.path, r.noun, url.Values{"name": {name}})
}

// Get returns one of them.
func (r Resource[T]) Get(ctx context.Context, id int64) (*T, error) {
	v := new(T)
	return v, r.c.Do(ctx, http.MethodGet, fmt.Sprintf("%s/%d", r.path, id), nil, v)
}

// Create adds one: body is what the API documents for it, or a T.
func (r Resource[T]) Create(ctx context.Context, body any) (*T, error) {
	v := new(T)
	return v, r.c.create(ctx, r.path, body, v)
}

// Update changes one: body is what the API documents for it, or a T as Get
// returned it, changed. Secrets that are masks there stay as they are.
func (r Resource[T]) Update(ctx context.Context, id int64, body any) error {
	return r.c.Do(ctx, http.MethodPut, fmt.Sprintf("%s/%d", r.path, id), body, nil)
}

// Delete removes one.
func (r Resource[T]) Delete(ctx context.Context, id int64) error {
	return r.c.Do(ctx, http.MethodDelete, fmt.Sprintf("%s/%d", r.path, id), nil, nil)
}

// Alerts are the organization's alerts.
func (c *Client) Alerts() Resource[tidemark.Alert] {
	return Resource[tidemark.Alert]{c, "/v1/alerts", "alerts"}
}

// Services are the organization's services.
func (c *Client) Services() Resource[tidemark.Service] {
	return Resource[tidemark.Service]{c, "/v1/services", "services"}
}

// Objectives are the organization's objectives.
func (c *Client) Objectives() Resource[tidemark.Objective] {
	return Resource[tidemark.Objective]{c, "/v1/objectives", "objectives"}
}

// Maintenance are the organization's maintenance windows.
func (c *Client) Maintenance() Resource[tidemark.Maintenance] {
	return Resource[tidemark.Maintenance]{c, "/v1/maintenance", "maintenance"}
}

// Spaces are the organization's spaces.
func (c *Client) Spaces() Resource[tidemark.Space] {
	return Resource[tidemark.Space]{c, "/v1/spaces", "spaces"}
}

// Tokens are the organization's API tokens.
func (c *Client) Tokens() Resource[APIToken] {
	return Resource[APIToken]{c, "/v1/api_tokens", "api_tokens"}
}

// APIToken is a token as the API shows it. Token is whole in the answer that
// creates or rotates it, and masked otherwise.
type APIToken struct {
	ID            int64         `json:"id"`
	Name          string        `json:"name"`
	Token         string        `json:"token"`
	Active        bool          `json:"active"`
	Role          tidemark.Role `json:"role"`
	CreatedAt     string        `json:"created_at"`
	LastUsedAt    string        `json:"last_used_at"`
	ExpiresAt     string        `json:"expires_at"`
	OldTokenUntil string        `json:"old_token_until"`
}

// RotateToken gives a token a new secret; the old one works for overlap
// seconds more.
func (c *Client) RotateToken(ctx context.Context, id int64, overlap tidemark.Seconds) (*APIToken, error) {
	t := new(APIToken)
	return t, c.Do(ctx, http.MethodPost, fmt.Sprintf("/v1/api_tokens/%d/rotate", id), map[string]any{"overlap": overlap}, t)
}

// Metric returns one metric.
func (c *Client) Metric(ctx context.Context, name string) (*tidemark.Metric, error) {
	m := new(tidemark.Metric)
	return m, c.Do(ctx, http.MethodGet, "/v1/metrics/"+url.PathEscape(name), nil, m)
}

// Metrics returns the metrics whose name holds name.
func (c *Client) Metrics(ctx context.Context, name string) ([]tidemark.Metric, error) {
	return all[tidemark.Metric](ctx, c, "/v1/metrics", "metrics", url.Values{"name": {name}})
}

// PutMetric creates or changes a metric: body is what the API documents.
func (c *Client) PutMetric(ctx context.Context, name string, body any) error {
	return c.Do(ctx, http.MethodPut, "/v1/metrics/"+url.PathEscape(name), body, nil)
}

// DeleteMetric removes a metric and its data.
func (c *Client) DeleteMetric(ctx context.Context, name string) error {
	return c.Do(ctx, http.MethodDelete, "/v1/metrics/"+url.PathEscape(name), nil, nil)
}

// Annotate adds an event to a stream of annotations.
func (c *Client) Annotate(ctx context.Context, stream string, e *tidemark.AnnotationEvent) (*tidemark.AnnotationEvent, error) {
	made := new(tidemark.AnnotationEvent)
	return made, c.create(ctx, "/v1/annotations/"+url.PathEscape(stream), e, made)
}

// CreateChart adds a chart to a space.
func (c *Client) CreateChart(ctx context.Context, space int64, body any) (*tidemark.Chart, error) {
	chart := new(tidemark.Chart)
	return chart, c.create(ctx, fmt.Sprintf("/v1/spaces/%d/charts", space), body, chart)
}

// Audit returns the log of changes, newest first.
func (c *Client) Audit(ctx context.Context) ([]tidemark.AuditEntry, error) {
	return all[tidemark.AuditEntry](ctx, c, "/v1/audit", "audit", nil)
}

// Charts returns the charts of a space.
func (c *Client) Charts(ctx context.Context, space int64) ([]tidemark.Chart, error) {
	var charts []tidemark.Chart
	err := c.Do(ctx, http.MethodGet, fmt.Sprintf("/v1/spaces/%d/charts", space), nil, &charts)
	return charts, err
}
