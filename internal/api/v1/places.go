package v1

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/checks"
)

const (
	// askIn is after how many seconds an agent asks again.
	askIn = 30
	// maxFindings is how much an agent may tell in one request.
	maxFindings = 1000
)

// PlaceBody is an agent that asks which checks it is to run.
type PlaceBody struct {
	Name string            `json:"name"`
	Tags map[string]string `json:"tags"`
}

// PlaceAnswer is what an agent is to run, and when to ask again.
type PlaceAnswer struct {
	Place  string                `json:"place"`
	AskIn  int                   `json:"ask_in"`
	Checks []tidemark.PlaceCheck `json:"checks"`
}

// askForChecks answers POST /v1/places.
func (s *API) askForChecks(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body PlaceBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	place := &tidemark.Place{Name: body.Name, Tags: body.Tags}
	list, err := checks.Ask(r.Context(), s.Store, who.Org, place, s.Now().Unix())
	return rest.OK(PlaceAnswer{Place: place.Name, AskIn: askIn, Checks: list}), err
}

// FindingsBody is what an agent found.
type FindingsBody struct {
	Place   string             `json:"place"`
	Results []tidemark.Finding `json:"results"`
}

// FindingsAnswer is how much of it was recorded, and what was not.
type FindingsAnswer struct {
	Recorded int              `json:"recorded"`
	Refused  []checks.Refusal `json:"refused"`
}

// recordFindings answers POST /v1/places/results.
func (s *API) recordFindings(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body FindingsBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if len(body.Results) > maxFindings {
		return rest.Reply{}, tidemark.InvalidField("results", "has more than 1000 entries")
	}
	refused, err := checks.Record(r.Context(), s.Store, s.Recorder, who.Org, body.Place, body.Results)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(FindingsAnswer{Recorded: len(body.Results) - len(refused), Refused: refused}), nil
}
