package movein

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/tidemark-metrics/tidemark/internal/durable"
)

// cursorFile remembers how far a file is written or read, beside it.
type cursorFile string

func cursorOf(path string) cursorFile { return cursorFile(path + ".cursor") }

// load reads the cursor into v. Without resume there must not be one: what is
// half done is not begun again by accident.
func (c cursorFile) load(resume bool, v any) error {
	text, err := os.ReadFile(string(c))
	switch {
	case errors.Is(err, os.ErrNotExist) && !resume:
		return nil
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is nothing to resume: %s is not there", string(c))
	case err != nil:
		return err
	case !resume:
		return fmt.Errorf("%s is left of a run that was interrupted: continue with --resume, or delete it to begin again", string(c))
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", string(c), err)
	}
	return nil
}

func (c cursorFile) save(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(string(c)+".new", text); err != nil {
		return err
	}
	return durable.Replace(string(c)+".new", string(c))
}

func (c cursorFile) remove() error {
	if err := os.Remove(string(c)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
