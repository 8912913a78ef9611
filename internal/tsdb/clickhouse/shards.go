package clickhouse

import (
	"context"
	"errors"
	"fmt"
)

// eachShard returns an address of every shard. Where shards have replicas it is
// one that works and, once there is an agreement, has caught up: what is made
// of rows that lag behind would replace what was made of all of them.
func (c *client) eachShard(ctx context.Context, s *shape) ([]int, error) {
	if s.shards == 1 {
		return []int{c.inUse()}, nil
	}
	var found []int
	var failed error
	seen := make(map[string]bool)
	for at := range c.urls {
		shard, err := c.shardOf(ctx, s, at)
		if err == nil && !seen[shard] && c.agreement != nil {
			err = c.agreement.syncAt(ctx, at)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("clickhouse at %s: %w", c.urls[at].Host, explain(err)))
			continue
		}
		if !seen[shard] {
			seen[shard], found = true, append(found, at)
		}
	}
	switch {
	case len(found) >= s.shards:
		return found, nil
	case failed != nil:
		return nil, failed
	}
	return nil, fmt.Errorf("clickhouse.urls: has servers of %d of the %d shards of %q: name at least one of each", len(found), s.shards, s.cluster)
}

// shardOf says which shard the server at an address belongs to: that under
// which its tables are replicated or, without replicas, one of its own.
func (c *client) shardOf(ctx context.Context, s *shape, at int) (string, error) {
	if s.replicas == 1 {
		return c.urls[at].Host, nil
	}
	found, err := c.only(at).texts(ctx, "SELECT substitution AS x FROM system.macros WHERE macro = 'shard'")
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// everyQuestion are settings of all that is about our tables. Where shards have
// replicas ClickHouse chooses those of other shards than that of the address in
// use. In order it writes to and reads from the same one while that works, and
// passes over one that is further behind than maxBehind for one that is not.
func (s *shape) everyQuestion() map[string]string {
	if s.shards == 1 || s.replicas == 1 {
		return nil
	}
	return map[string]string{
		"load_balancing": "in_order",
		"max_replica_delay_for_distributed_queries": maxBehind,
	}
}

// maxBehind is how many seconds a replica may be behind while another is not.
const maxBehind = "3"
