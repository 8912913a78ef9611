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
	"post":    post,
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
	send(ts, req, args[1], args[2])
}

// post sends a file to a URL with a token: post URL TOKEN FILE STATUS.
func post(ts *testscript.TestScript, _ bool, args []string) {
	req, err := http.NewRequest(http.MethodPost, args[0], strings.NewReader(ts.ReadFile(args[2])))
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	send(ts, req, args[1], args[3])
}

// send sends a request with a token, unless that is "-", and wants a status.
func send(ts *testscript.TestScript, req *http.Request, token, status string) {
	if token != "-" {
		req.SetBasicAuth(token, "")
	}
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	if got := fmt.Sprint(resp.StatusCode); got != status {
		ts.Fatalf("%s %s: %s %s, want %s", req.Method, req.URL, got, body, status)
	}
	_, _ = ts.Stdout().Write(body)
}
