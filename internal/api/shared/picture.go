package shared

import (
	"io"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// PNG is the answer with a picture.
func PNG(png []byte) rest.Reply {
	return rest.Reply{
		Status: http.StatusOK, Kind: "image/png", Header: map[string]string{"Cache-Control": "private, max-age=86400"},
		Stream: func(w io.Writer) error {
			_, err := w.Write(png)
			return err
		},
	}
}

// OpenSince is when a snapshot that can be opened without credentials was made
// at the earliest.
func (s *Base) OpenSince() int64 { return s.Now().Unix() - int64(tidemark.SnapshotOpen) }

// ImageOf is the answer with the picture of a snapshot.
func ImageOf(v *tidemark.Snapshot) (rest.Reply, error) {
	if v.Image == nil {
		return rest.Reply{}, rest.ErrNotFound
	}
	return PNG(v.Image), nil
}

// SnapshotImages is where pictures can be opened without credentials: clients
// put their addresses into chats and mails.
const SnapshotImages = "/ui/api/snapshots/"
