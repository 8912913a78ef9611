package store

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/nonnil"
)

const (
	maxAudited      = 8 << 10 // bytes of what was, and of what is
	maxAuditedField = 2 << 10 // bytes of one of their fields, where that is too much
	cutMark         = "… (cut)"
)

// fields are what the audit log may show of a thing, as JSON. Secrets are not
// among them.
type fields map[string]any

// bookkeeping are fields that change by themselves.
var bookkeeping = []string{"id", "created_at", "created_by", "updated_at", "updated_by", "last_opened_at", "version", "md"}

// fieldsOf returns the fields of v, as its JSON has them.
func fieldsOf(v any) fields {
	text, err := json.Marshal(nonnil.Of(v))
	if err != nil {
		return fields{"error": err.Error()}
	}
	var f fields
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&f); err != nil {
		return fields{"error": err.Error()}
	}
	for _, name := range bookkeeping {
		delete(f, name)
	}
	return f
}

// differences returns those of the fields that differ, each as it was and as
// it is, bounded in size.
func differences(was, is fields) (before, after map[string]any) {
	was, is = nonnil.Of(was).(fields), nonnil.Of(is).(fields)
	before, after = make(map[string]any), make(map[string]any)
	for name, v := range was {
		if now, there := is[name]; !there || !reflect.DeepEqual(v, now) {
			before[name] = v
		}
	}
	for name, v := range is {
		if old, there := was[name]; !there || !reflect.DeepEqual(v, old) {
			after[name] = v
		}
	}
	return bounded(before), bounded(after)
}

// bounded returns f, or nil if it is empty, with long fields cut where it is
// longer than the audit log keeps, and the last left out if that is not enough.
func bounded(f map[string]any) map[string]any {
	if len(f) == 0 {
		return nil
	}
	if sizeOf(f) <= maxAudited {
		return f
	}
	kept, room := make(map[string]any), maxAudited
	for _, name := range slices.Sorted(maps.Keys(f)) {
		v := cutField(f[name])
		if room -= len(name) + sizeOf(v) + 4; room < 0 {
			kept["…"] = cutMark
			return kept
		}
		kept[name] = v
	}
	return kept
}

// cutField returns v, or the beginning of its JSON if that is long.
func cutField(v any) any {
	if sizeOf(v) <= maxAuditedField {
		return v
	}
	text, isText := v.(string)
	if !isText {
		b, _ := json.Marshal(v) // it came from JSON
		text = string(b)
	}
	n := min(maxAuditedField, len(text))
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + cutMark
}

func sizeOf(v any) int {
	b, _ := json.Marshal(v)
	return len(b)
}

// named is how the audit log names a thing: token 41 "edge".
func named(noun string, id int64, name string) string {
	return noun + " " + strconv.FormatInt(id, 10) + " " + strconv.Quote(shorten(name))
}

// shorten keeps long names from filling the audit log.
func shorten(name string) string {
	const most = 100
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return name
}

func fieldsOfToken(v *tidemark.Token) fields {
	f := fields{"name": v.Name, "role": string(v.Role), "active": v.Active, "expires_at": v.ExpiresAt}
	if !v.Scope.IsWhole() {
		f["scope"] = map[string]any(fieldsOf(v.Scope))
	}
	if v.IdleDays > 0 {
		f["idle_days"] = v.IdleDays
	}
	if len(v.Networks) > 0 {
		f["networks"] = slices.Clone(v.Networks)
	}
	return f
}

// fieldsOfChart leaves out what streams learn of their metrics when they
// are read.
func fieldsOfChart(v *tidemark.Chart) fields {
	bare := *v
	bare.Streams = slices.Clone(v.Streams)
	for i := range bare.Streams {
		bare.Streams[i].Type = ""
	}
	return fieldsOf(&bare)
}

// fieldsOfAlert has the ids of the services, and nothing of their settings.
func fieldsOfAlert(v *tidemark.Alert) fields {
	bare := *v
	bare.Services = nil
	f := fieldsOf(&bare)
	f["services"] = append([]int64{}, v.ServiceIDs...)
	return f
}

// How the audit log shows a setting that may be secret: that it is there, and
// that it is another.
const (
	secretSet      = "set"
	secretReplaced = "replaced"
)

// fieldsOfService has public settings as they are, and of secrets that they
// are set.
func fieldsOfService(v *tidemark.Service) fields {
	f := fields{"type": v.Type, "title": v.Title}
	for name, shown := range v.Masked() {
		if shown == tidemark.MaskedSetting {
			shown = secretSet
		}
		f["settings."+name] = shown
	}
	if v.Signing != nil {
		f["signing"] = secretSet
	}
	return f
}

// noteReplaced says in is which of the secrets are not what they were.
func noteReplaced(old map[string]string, v *tidemark.Service, is fields) {
	for name, setting := range v.Settings {
		if is["settings."+name] == secretSet && old[name] != "" && old[name] != setting {
			is["settings."+name] = secretReplaced
		}
	}
}
