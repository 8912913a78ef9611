package api

import (
	"encoding/json"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// secretsRoutes are about the keys that secrets are encrypted with.
func (s *Server) secretsRoutes() []rest.Route {
	return []rest.Route{
		onServer("GET    /admin/secrets", tidemark.Manage, s.secretsStatus),
		onServer("POST   /admin/secrets/rotate", tidemark.Manage, s.rotateSecrets),
		onServer("POST   /admin/secrets/prepare", tidemark.Manage, s.prepareSecrets),
		onServer("POST   /admin/secrets/new-key", tidemark.Manage, s.giveUpSecrets),
	}
}

func (s *Server) secretsStatus(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	status, err := s.Store.SecretsStatus(r.Context())
	return rest.OK(status), err
}

func (s *Server) prepareSecrets(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := s.Store.PrepareKey(r.Context(), who.Actor())
	return rest.OK(map[string]string{"key": id}), err
}

func (s *Server) giveUpSecrets(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := s.Store.GiveUpKey(r.Context(), who.Actor())
	return rest.OK(map[string]string{"key": id}), err
}

// rotationLine is a line of the answer of a rotation. The last has the result.
type rotationLine struct {
	progressLine
	Result *store.Rotation `json:"result,omitempty"`
}

// rotateSecrets answers POST /admin/secrets/rotate, as backup does.
func (s *Server) rotateSecrets(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return rest.Reply{Status: http.StatusOK, Kind: "application/x-ndjson", Events: func(w http.ResponseWriter) {
		control, out := http.NewResponseController(w), json.NewEncoder(w)
		say := func(line rotationLine) {
			_ = out.Encode(line)
			_ = control.Flush()
		}
		done, err := s.Store.RotateKey(r.Context(), who.Actor(), func(done, total int64) {
			say(rotationLine{progressLine: progressLine{Doing: "secrets", Done: done, Total: total}})
		})
		if err != nil {
			say(rotationLine{progressLine: progressLine{Error: err.Error()}})
			return
		}
		say(rotationLine{Result: done})
	}}, nil
}
