package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// maxClockDifference is how far the clock of ClickHouse may be from ours.
// Nothing is ordered by clocks, but retention is counted by both.
const maxClockDifference = 30 * time.Second

// explain says what is wrong with a server, for operators: in words, with what
// ClickHouse said after them.
func explain(err error) error {
	if err == nil {
		return nil
	}
	return &tidemark.Error{Kind: tidemark.Unavailable, Msg: reason(err), Err: err}
}

// trouble is what is wrong in words alone.
func trouble(format string, args ...any) error {
	return tidemark.Errorf(tidemark.Unavailable, format, args...)
}

// Check connects as Open does, without making anything, and says what would be
// in the way, in words.
func Check(ctx context.Context, o Options) error {
	o.setDefaults()
	c, err := newClient(&o)
	if err != nil {
		return err
	}
	defer c.http.CloseIdleConnections()
	s, err := c.look(ctx, o.Cluster)
	if err != nil {
		return err
	}
	var problems []error
	for at := range c.urls {
		if err := c.checkAt(ctx, at, &s); err != nil {
			problems = append(problems, fmt.Errorf("clickhouse at %s: %w", c.urls[at].Host, err))
		}
	}
	if len(problems) == 0 {
		_, err = c.eachShard(ctx, &s)
		return err
	}
	return errors.Join(problems...)
}

// checkAt says what is wrong with one server.
func (c *client) checkAt(ctx context.Context, at int, s *shape) error {
	one := c.only(at)
	now, err := one.texts(ctx, "SELECT toString(toUInt32(now())) AS x")
	if err != nil {
		return explain(err)
	}
	seconds, _ := strconv.ParseInt(now[0], 10, 64)
	if apart := time.Since(time.Unix(seconds, 0)); apart.Abs() > maxClockDifference {
		return trouble("the clock of ClickHouse and ours are %s apart", apart.Abs().Round(time.Second))
	}
	exists, err := one.texts(ctx, "SELECT name AS x FROM system.tables WHERE database = "+quote(c.database)+" AND name = "+quote(s.local("records")))
	if err != nil {
		return explain(err)
	}
	if exists[0] == "" {
		return nil // the server makes them
	}
	if s.replicas > 1 {
		if err := one.checkReplica(ctx); err != nil {
			return err
		}
	}
	// Writing no rows shows whether rows may be written.
	for _, sql := range []string{
		"SELECT count() FROM " + c.database + "." + s.local("streams") + " WHERE org = 0",
		"INSERT INTO " + c.database + "." + s.local("streams") + " SELECT * FROM " + c.database + "." + s.local("streams") + " WHERE org = 0",
	} {
		if err := one.exec(ctx, &statement{sql: sql}); err != nil {
			return explain(err)
		}
	}
	return nil
}

// checkReplica says what is wrong with the tables of a replica.
func (c *client) checkReplica(ctx context.Context) error {
	readOnly, err := c.texts(ctx, "SELECT toString(max(is_readonly)) AS x FROM system.replicas WHERE database = "+quote(c.database))
	if err != nil {
		return explain(err)
	}
	if readOnly[0] == "1" {
		return trouble("the replica is read-only: it has lost its keeper")
	}
	return nil
}

// Ready says in words why requests would fail now, or nil.
func (e *Engine) Ready(ctx context.Context) error {
	if err := e.begin(ctx); err != nil {
		return err
	}
	c := e.client
	err := c.checkAt(ctx, c.inUse(), &e.shape)
	if err == nil {
		return nil
	}
	if c.exec(ctx, &statement{sql: "SELECT 1"}) == nil { // goes on to the next address that works
		err = c.checkAt(ctx, c.inUse(), &e.shape)
	}
	return err
}

// answerFor is how long Ailing waits: who asks whether a server is ready does
// not wait long either.
const answerFor = 500 * time.Millisecond

// Ailing says in words which of several servers of ClickHouse do not answer.
// Requests may fail for that, but no other server of ours could do better. They
// are called by their place, not by their address, which may be a secret.
func (e *Engine) Ailing(ctx context.Context) []string {
	c := e.client
	if len(c.urls) == 1 {
		return nil // Ready says it
	}
	ctx, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	said := make([]string, len(c.urls))
	var all sync.WaitGroup
	for at := range c.urls {
		all.Go(func() {
			if err := c.run(ctx, at, &statement{sql: "SELECT 1", nowhere: true}); err != nil {
				said[at] = fmt.Sprintf("server %d of the %d in clickhouse.urls: %s", at+1, len(c.urls), reason(err))
			}
		})
	}
	all.Wait()
	return slices.DeleteFunc(said, func(s string) bool { return s == "" })
}
