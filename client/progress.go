package client

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ReadProgress reads the answer about work that takes a while: lines that are
// reported, where report is not nil, and a last one, which has the result or
// an error. Before says what was not reached where the last line is missing.
func ReadProgress(answer *json.Decoder, before string, report func(doing string, done, total int64)) (result json.RawMessage, err error) {
	for {
		var line struct {
			Doing       string
			Done, Total int64
			Error       string
			Result      json.RawMessage
		}
		switch err := answer.Decode(&line); {
		case err != nil:
			return nil, fmt.Errorf("the server stopped before %s: %w", before, err)
		case line.Error != "":
			return nil, errors.New(line.Error)
		case line.Doing == "":
			return line.Result, nil
		}
		if report != nil {
			report(line.Doing, line.Done, line.Total)
		}
	}
}
