package org

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

const exportAtOnce = 1000 // entries that an export reads at a time

// auditLog answers GET /ui/api/audit.
func (s *API) auditLog(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	q, err := shared.ReadAuditQuery(r, shared.AuditPageLength)
	if err != nil {
		return rest.Reply{}, err
	}
	length := q.Length
	q.Length++ // to see whether there are more
	found, err := s.Store.AuditLog(r.Context(), who.Org, q)
	if err != nil {
		return rest.Reply{}, err
	}
	page := auditPage{Audit: found, KeepDays: int64(s.AuditKeep / (24 * time.Hour))}
	if len(found) > length {
		page.Audit = found[:length]
		page.Next = page.Audit[length-1].ID
	}
	return rest.OK(page), nil
}

// exportAudit answers GET /ui/api/audit/export: all that the filters select, as
// CSV or as lines of JSON.
func (s *API) exportAudit(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	q, err := shared.ReadAuditQuery(r, shared.AuditPageLength)
	if err != nil {
		return rest.Reply{}, err
	}
	q.Length = exportAtOnce
	entries := s.auditEntries(r.Context(), who.Org, q)
	switch format := r.URL.Query().Get("format"); format {
	case "", "csv":
		return exportAs("csv", "text/csv; charset=utf-8", func(w io.Writer) error { return writeAuditCSV(w, entries) }), nil
	case "jsonl":
		return exportAs("jsonl", "application/x-ndjson", func(w io.Writer) error { return writeAuditLines(w, entries) }), nil
	}
	return rest.Reply{}, tidemark.InvalidField("format", "must be csv or jsonl")
}

func exportAs(ending, kind string, stream func(io.Writer) error) rest.Reply {
	return rest.Reply{
		Status: http.StatusOK, Kind: kind, Stream: stream,
		Header: map[string]string{"Content-Disposition": `attachment; filename="audit.` + ending + `"`, "Cache-Control": "no-store"},
	}
}

// auditEntries yields all that q selects, a part at a time.
func (s *API) auditEntries(ctx context.Context, org tidemark.OrgID, q tidemark.AuditQuery) iter.Seq2[*tidemark.AuditEntry, error] {
	return func(yield func(*tidemark.AuditEntry, error) bool) {
		for {
			found, err := s.Store.AuditLog(ctx, org, q)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, e := range found {
				if !yield(e, nil) {
					return
				}
			}
			if len(found) < q.Length {
				return
			}
			q.Before = found[len(found)-1].ID
		}
	}
}

func writeAuditLines(w io.Writer, entries iter.Seq2[*tidemark.AuditEntry, error]) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for e, err := range entries {
		if err != nil {
			return err
		}
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

func writeAuditCSV(w io.Writer, entries iter.Seq2[*tidemark.AuditEntry, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"id", "time", "actor", "address", "action", "object", "count", "detail", "before", "after"}); err != nil {
		return err
	}
	for e, err := range entries {
		if err != nil {
			return err
		}
		row := []string{
			strconv.FormatInt(e.ID, 10), time.Unix(e.At, 0).UTC().Format(time.RFC3339), e.Actor, e.Address, e.Action, e.Object,
			strconv.FormatInt(max(e.Count, 1), 10), fieldsText(e.Detail), fieldsText(e.Before), fieldsText(e.After),
		}
		for i, cell := range row {
			row[i] = harmless(cell)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func fieldsText(fields map[string]any) string {
	if len(fields) == 0 {
		return ""
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(fields) // it came from JSON
	return strings.TrimSuffix(b.String(), "\n")
}

// harmless keeps a spreadsheet from taking what somebody named something for
// a formula.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}
