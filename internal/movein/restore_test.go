package movein_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tidemark-metrics/tidemark/internal/movein"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

// TestDamagedFiles: a file that is cut off, too long in a line, or shorter
// than what was imported of it ends the import with where that is.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	s := start(t)
	line := fmt.Sprintf(`{"metric":"m","times":[%d],"values":[1]}`+"\n", ago(60))
	whole := protocoltest.Pack(t, "gzip", []byte(strings.Repeat(line, 3)))
	for name, c := range map[string]struct {
		in   io.Reader
		want string
	}{
		"cut gzip":       {bytes.NewReader(whole[:len(whole)-9]), "line 4: unexpected EOF"},
		"another gzip":   {strings.NewReader("\x1f\x8bxxxxxxxxxxxx"), "gzip: invalid header"},
		"a disk fails":   {io.MultiReader(strings.NewReader(line), iotest.ErrReader(errCut)), "line 2: cut off"},
		"a line of 16MB": {strings.NewReader(line + "\n" + strings.Repeat("x", 16<<20+1)), "line 3: is longer than 16777216 bytes"},
	} {
		_, err := movein.Restore{Server: s.Client, In: c.in, Progress: silent}.Run(t.Context())
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	dir := write(t, map[string]string{
		"short.jsonl": line, "short.jsonl.cursor": `{"Bytes":100000}`, "odd.jsonl": line, "odd.jsonl.cursor": `{"Bytes":`,
	})
	for name, want := range map[string]string{
		"short.jsonl": "short.jsonl is shorter than what was imported of it", "odd.jsonl": "odd.jsonl.cursor: unexpected end of JSON input", "none.jsonl": "there is nothing to resume",
	} {
		_, err := movein.Restore{Server: s.Client, Path: filepath.Join(dir, name), Resume: true, Progress: silent}.Run(t.Context())
		wantError(t, err, want)
	}
	_, err := movein.Restore{Server: s.Client, Path: filepath.Join(dir, "none.jsonl"), Progress: silent}.Run(t.Context())
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestLinesOfAnySystem: blank lines, carriage returns and a last line without
// an end are no obstacle, and an import of nothing does not tidy up.
func TestLinesOfAnySystem(t *testing.T) {
	t.Parallel()
	s := start(t)
	at := ago(60)
	text := fmt.Sprintf("{\"tidemark_export\":1}\r\n\r\n \n{\"metric\":\"m\",\"times\":[%d],\"values\":[1]}\r\n{\"metric\":\"m\",\"times\":[%d],\"values\":[2]}", at, at+1)
	steps := 0
	done, err := movein.Restore{Server: s.Client, In: strings.NewReader(text), Progress: func(string, int64, int64) { steps++ }}.Run(t.Context())
	ok(t, err)
	if done.Recorded != 2 || s.settled != 1 || steps < 5 {
		t.Errorf("%+v after %d steps, settled %d times", done, steps, s.settled)
	}
	path := filepath.Join(write(t, map[string]string{"empty.jsonl": ""}), "empty.jsonl")
	done, err = movein.Restore{Server: s.Client, Path: path, Progress: silent}.Run(t.Context())
	if err != nil || done.Recorded != 0 || s.settled != 1 {
		t.Errorf("%+v, %v, settled %d times", done, err, s.settled)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestRestoreGivesWhatIsLacking: a definition fills what a metric lacks and
// leaves what somebody set, and an annotation that is there is not doubled.
func TestRestoreGivesWhatIsLacking(t *testing.T) {
	t.Parallel()
	s := start(t)
	ok(t, s.PutMetric(t.Context(), "m", map[string]any{"type": "gauge", "description": "ours", "attributes": map[string]any{"color": "#000000"}}))
	text := fmt.Sprintf(`{"definition":{"name":"m","type":"gauge","description":"theirs","display_name":"M","period":60,"source_lag":5,"attributes":{"color":"#ffffff","display_units_short":"ms","team":null}}}
{"annotation":{"stream":"deploys","title":"v2","source":"web","start_time":%[1]d}}
{"annotation":{"stream":"deploys","title":"v2","start_time":%[1]d}}
`, ago(600))
	for range 2 {
		done, err := movein.Restore{Server: s.Client, In: strings.NewReader(text), Progress: silent}.Run(t.Context())
		ok(t, err)
		if done.Definitions != 1 || done.Annotations != 2 {
			t.Errorf("%+v", done)
		}
	}
	m, err := s.Metric(t.Context(), "m")
	ok(t, err)
	if *m.Description != "ours" || *m.DisplayName != "M" || *m.Period != 60 || *m.SourceLag != 5 || m.Attributes["color"] != "#000000" || m.Unit() != "ms" {
		t.Errorf("%+v", m)
	}
	events, _, err := s.Annotations(t.Context(), "deploys", ago(900), ago(0))
	if err != nil || len(events) != 2 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// failingWriter takes some writes and then fails.
type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errCut
	}
	return len(p), nil
}

// TestExportStops: an export ends with an error where what it is written to is
// full, whatever it is writing, and where the server does not answer.
func TestExportStops(t *testing.T) {
	t.Parallel()
	s := start(t)
	fill(t, s)
	x := movein.Export{Server: s.Client, End: ago(-60), Progress: silent}
	writes := 0
	for ; ; writes++ {
		x.Out = &failingWriter{left: writes}
		_, err := x.Run(t.Context())
		if err == nil {
			break
		}
		if !errors.Is(err, errCut) || writes > 50 {
			t.Fatalf("after %d writes: %v", writes, err)
		}
	}
	if writes < 10 {
		t.Errorf("it was written in %d pieces", writes)
	}
	x.Out = io.Discard
	for path, want := range map[string]string{
		"/v1/metrics": "", "/v1/annotations": "", "/admin/measurements": "export cpu: ", "/v1/annotations/deploys": "export annotations deploys: ",
	} {
		s.before = func(r *http.Request) error {
			if r.URL.Path == path {
				return errCut
			}
			return nil
		}
		if _, err := x.Run(t.Context()); !errors.Is(err, errCut) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	x.Path = filepath.Join(t.TempDir(), "missing", "x.jsonl")
	if _, err := x.Run(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}
