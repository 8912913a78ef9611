package agents

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// TestKill kills the server while two clients record, several times, and
// expects every measurement that was acknowledged to be there afterwards, with
// its value.
func TestKill(t *testing.T) {
	s := serve(t)
	began := time.Now().Unix() - 3000
	var recorded [2]int // by client: how many of its seconds were acknowledged
	for range 3 {
		var wg sync.WaitGroup
		for client := range recorded {
			wg.Go(func() {
				// What lies ahead of now would not be read back.
				for recorded[client] < 3000 && s.record(client, began+int64(recorded[client]), recorded[client]) {
					recorded[client]++
				}
			})
		}
		time.AfterFunc(300*time.Millisecond, s.kill)
		wg.Wait()
		s.kill()
		s.start(t)
	}
	for client, n := range recorded {
		series := s.read(fmt.Sprintf("kill.%d", client))
		if n == 0 || len(series) != 1 || len(series[0].Measurements) < n {
			t.Fatalf("client %d: %d acknowledged, %d series", client, n, len(series))
		}
		for i, p := range series[0].Measurements[:n] {
			if p.Time != began+int64(i) || p.Value != float64(i) || p.Count != 1 {
				t.Fatalf("client %d: measurement %d of %d is %+v", client, i, n, p)
			}
		}
	}
	t.Logf("%v acknowledged", recorded)
}

// record records one measurement and reports whether it was acknowledged.
func (s *server) record(client int, at int64, value int) bool {
	body := fmt.Sprintf(`{"measurements":[{"name":"kill.%d","time":%d,"value":%d,"tags":{"client":"%d"}}]}`, client, at, value, client)
	req, err := http.NewRequest("POST", s.url+"/v1/measurements", bytes.NewReader([]byte(body)))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth(token, "")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusAccepted
}
