package query_test

import (
	"errors"

	"github.com/tidemark-metrics/tidemark/internal/compose"
)

// composeErrorOf returns the place that err is about, or nil.
func composeErrorOf(err error) *compose.Error {
	e, _ := errors.AsType[*compose.Error](err)
	return e
}
