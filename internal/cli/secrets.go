package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

type secretsCmd struct {
	Status  secretsStatus  `cmd:"" help:"Show which keys there are and how many secrets are encrypted with each."`
	Rotate  secretsRotate  `cmd:"" help:"Encrypt all secrets again with another key; resumes where it was interrupted."`
	Prepare secretsPrepare `cmd:"" help:"Add the key of the next rotation to the key file, to give it to other servers before."`
	Create  secretsCreate  `cmd:"" help:"Make a key file with a fresh key, for servers that are to share it: tidemark secrets create FILE."`
	NewKey  secretsNewKey  `cmd:"" help:"Make a new key where the key file is lost; all secrets must be entered again."`
}

// ask sends a request through the operator's door and reads the JSON values of
// the answer, one after the other.
func (r *run) ask(method, path string, each func(*json.Decoder) error) error {
	return r.throughDoor(func(transport http.RoundTripper) error {
		req, err := http.NewRequestWithContext(r.ctx, method, "http://tidemark"+path, nil)
		if err != nil {
			return err
		}
		resp, err := (&http.Client{Transport: transport}).Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return refusal(resp)
		}
		return each(json.NewDecoder(resp.Body))
	})
}

// refusal is what an answer says went wrong.
func refusal(resp *http.Response) error {
	var body struct {
		Errors struct{ Request []string }
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if json.Unmarshal(text, &body) == nil && len(body.Errors.Request) > 0 {
		return errors.New(strings.Join(body.Errors.Request, "; "))
	}
	return fmt.Errorf("the server answered %s: %s", resp.Status, text)
}

type secretsStatus struct{ listFlags }

// Run shows the keys.
func (c *secretsStatus) Run(r *run) error {
	return r.ask(http.MethodGet, "/admin/secrets", func(answer *json.Decoder) error {
		var s store.SecretsStatus
		if err := answer.Decode(&s); err != nil {
			return err
		}
		t := table{header: []string{"KEY", "IN THE KEY FILE", "SECRETS", "USE"}}
		for _, k := range s.Keys {
			t.add(k.ID, map[bool]string{true: "yes", false: "MISSING"}[k.There], strconv.FormatInt(k.Sealed, 10), keyUse(&s, k.ID))
		}
		if err := r.list(c.listFlags, s, &t); err != nil || c.JSON {
			return err
		}
		for _, line := range keyNotes(&s) {
			fmt.Fprintln(r.Out, line)
		}
		return nil
	})
}

func keyUse(s *store.SecretsStatus, id string) string {
	switch id {
	case s.Current:
		return "encrypts"
	case s.Prepared:
		return "prepared for the next rotation"
	}
	return "decrypts"
}

// keyNotes says what an operator has to know or do.
func keyNotes(s *store.SecretsStatus) []string {
	notes := []string{"Key file: " + s.File + ". Keep a copy of it, but not where the backups are."}
	for _, k := range s.Keys {
		if !k.There {
			notes = append(notes, "Key "+k.ID+" is missing: put the key file back, or its line into the key file. If it is lost, run tidemark secrets new-key and enter the secrets again.")
		}
	}
	if !s.Private && len(notes) == 1 {
		notes = append(notes, "Others on this machine can read the key file: chmod 600 "+s.File)
	}
	if s.Rotating {
		notes = append(notes, "A rotation is not done: tidemark secrets rotate resumes it.")
	}
	if s.Clear > 0 {
		notes = append(notes, fmt.Sprintf("%d services have secrets of an earlier version that are not encrypted yet; a server does that when it runs.", s.Clear))
	}
	return notes
}

type secretsRotate struct{}

// Run replaces the key.
func (secretsRotate) Run(r *run) error {
	return r.ask(http.MethodPost, "/admin/secrets/rotate", func(answer *json.Decoder) error {
		result, err := client.ReadProgress(answer, "all secrets were encrypted with the new key; run this again", r.progress)
		if err != nil {
			return err
		}
		var done store.Rotation
		if err := json.Unmarshal(result, &done); err != nil {
			return err
		}
		r.printRotation(&done)
		return nil
	})
}

func (secretsRotate) unfinished() string {
	return "the rotation is not complete: the same command resumes it"
}

func (r *run) printRotation(done *store.Rotation) {
	fmt.Fprintf(r.Out, "Key %s encrypts now; %d secrets were encrypted again. Copy the key file to where you keep it.\n", done.Key, done.Sealed)
	for _, id := range done.Retired {
		fmt.Fprintf(r.Out, "Key %s is retired. Backups made before now need it: it is kept beside the key file, in a file that ends with .%s.retired, to be deleted once no such backup is left.\n", id, id)
	}
	if done.Lost > 0 {
		fmt.Fprintf(r.Out, "%d secrets could not be decrypted and are as they were; tidemark secrets status says which key is missing. No key was removed.\n", done.Lost)
	}
}

type secretsPrepare struct{}

// Run adds a key.
func (secretsPrepare) Run(r *run) error {
	return r.askKey("/admin/secrets/prepare", "Key %s is in the key file and not used yet. Copy the file to all servers unless they share it, then run tidemark secrets rotate.\n")
}

type secretsCreate struct {
	File string `arg:"" help:"The file, which must not be there yet."`
}

// Run makes a key file. It asks no server: containers are given the file before
// the first of them starts.
func (c *secretsCreate) Run(r *run) error {
	if _, err := os.Lstat(c.File); err == nil {
		return fmt.Errorf("%s is there already", c.File)
	}
	keys, err := seal.MakeFile(c.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.Out, "%s has the key %s. Give every server the same file (secrets.key_file), and keep a copy of it, but not where the backups are.\n", c.File, keys.IDs()[0])
	return nil
}

type secretsNewKey struct{}

// Run makes a new key.
func (secretsNewKey) Run(r *run) error {
	return r.askKey("/admin/secrets/new-key", "Key %s encrypts now. Enter the secrets of services again. Should the lost key be found, put its line into the key file.\n")
}

func (r *run) askKey(path, format string) error {
	return r.ask(http.MethodPost, path, func(answer *json.Decoder) error {
		var made struct{ Key string }
		if err := answer.Decode(&made); err != nil {
			return err
		}
		fmt.Fprintf(r.Out, format, made.Key)
		return nil
	})
}
