package cli_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// commands are what scripts can say beside tidemark itself.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"waitfor": waitFor,
	"get":     get,
	"setenvfile": func(ts *testscript.TestScript, _ bool, args []string) {
		ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
	},
}

// waitFor waits until a file holds a text: waitfor FILE TEXT. It is how a
// script learns that a server in the background answers.
func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		if b, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && strings.Contains(string(b), args[1]) {
			return
		}
		select {
		case <-ctx.Done():
			ts.Fatalf("%s never had %q", args[0], args[1])
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// get fetches a URL with a token: get URL TOKEN STATUS.
func get(ts *testscript.TestScript, _ bool, args []string) {
	req, err := http.NewRequest(http.MethodGet, args[0], nil)
	ts.Check(err)
	if args[1] != "-" {
		req.SetBasicAuth(args[1], "")
	}
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	if got := fmt.Sprint(resp.StatusCode); got != args[2] {
		ts.Fatalf("GET %s: %s %s, want %s", args[0], got, body, args[2])
	}
	_, _ = ts.Stdout().Write(body)
}
