package doors

import (
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/remotewrite"
)

// remoteWrite answers POST /prometheus/api/v1/write. A sender of version 2
// wants to know how much was written, also when not all was; a part that is
// refused is an error that is not to be tried again.
func (s *API) remoteWrite(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	version, err := remotewrite.Version(r.Header.Get("Content-Type"))
	if err != nil {
		return rest.Reply{}, err
	}
	if r.Header.Get("Content-Encoding") == "" {
		r.Header.Set("Content-Encoding", "snappy") // which it always is
	}
	var stats remotewrite.Stats
	var batch *protocol.Batch
	from := ingest.Origin{Refused: func(i int) {
		if batch.Points[i].Kind >= protocol.Distribution {
			stats.Histograms--
		} else {
			stats.Samples--
		}
	}}
	t, err := s.take(r, who, from, func(b *bench) (err error) {
		batch = b.batch // as long as it is being recorded
		stats, err = b.remote.Decode(version, b.text, batch)
		return err
	})
	if err != nil {
		return rest.Reply{}, err
	}
	header := map[string]string{
		"X-Prometheus-Remote-Write-Samples-Written":    strconv.Itoa(stats.Samples),
		"X-Prometheus-Remote-Write-Histograms-Written": strconv.Itoa(stats.Histograms),
		"X-Prometheus-Remote-Write-Exemplars-Written":  "0",
	}
	if _, text := t.partial(silentRemote); text != "" {
		rep := rest.Text(http.StatusBadRequest, "text/plain; charset=utf-8", []byte(text+"\n"), header)
		return t.reply(rep), nil
	}
	return t.reply(rest.Reply{Status: http.StatusNoContent, Header: header}), nil
}
