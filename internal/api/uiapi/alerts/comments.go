package alerts

import (
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// commentBody is what somebody says of an incident.
type commentBody struct {
	Text string `json:"text"`
}

// newComment is a comment that was added.
type newComment struct {
	ID int64 `json:"id"`
}

// comment answers POST /ui/api/incidents/:id/comments. Everybody may who sees
// the incident; it acknowledges nothing.
func (s *API) comment(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, n, err := s.readComment(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.CommentIncident(r.Context(), who.Org, who.Actor(), id, n); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(newComment{n.ID}, "/ui/api/incidents/"+strconv.FormatInt(id, 10)), nil
}

// changeComment answers PUT /ui/api/incidents/:id/comments/:comment.
func (s *API) changeComment(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	comment, err := rest.PathID(r, "comment")
	if err != nil {
		return rest.Reply{}, err
	}
	id, n, err := s.readComment(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.ChangeComment(r.Context(), who.Org, who.Actor(), id, comment, n)
}

// readComment reads which incident a comment is on, and the comment.
func (s *API) readComment(r *http.Request) (int64, *tidemark.IncidentNote, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return 0, nil, err
	}
	var body commentBody
	if err := rest.ReadShort(r, &body); err != nil {
		return 0, nil, err
	}
	return id, &tidemark.IncidentNote{At: s.Now().Unix(), Text: body.Text}, nil
}
