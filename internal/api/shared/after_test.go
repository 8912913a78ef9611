package shared_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// TestAfterAnswers: what an answer did not wait for is done though the client is
// gone, what fails is logged, and no more is begun than there are places.
func TestAfterAnswers(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	done, block := make(chan error, 1), make(chan struct{})
	s.After(ctx, "look", func(ctx context.Context) error {
		done <- ctx.Err()
		return errors.New("the mail is away")
	})
	if err := <-done; err != nil {
		t.Errorf("it ended with the client: %v", err)
	}
	s.Under <- struct{}{} // so that the first is over
	<-s.Under
	for range cap(s.Under) + 3 {
		s.After(ctx, "wait", func(context.Context) error {
			<-block
			return nil
		})
	}
	close(block)
	for range cap(s.Under) {
		s.Under <- struct{}{}
	}
	if log := s.Log.String(); strings.Count(log, "left_out=wait") < 3 || !strings.Contains(log, "the mail is away") {
		t.Errorf("logged %s", log)
	}
}
