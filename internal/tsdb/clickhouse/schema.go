package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/ch-go/proto"
)

// shape is what a ClickHouse is like.
type shape struct {
	version  int // 2607 is 26.7
	shards   int
	replicas int
	cluster  string
	database string
}

// oldest is the first version that has everything the SQL needs.
const oldest = 1816

// schemaVersion is that of the tables; see migrations.
const schemaVersion = 1

// local is the name of the table that holds the rows of one server: where
// there are several shards, the table by the plain name is over all of them.
func (s *shape) local(table string) string {
	if s.shards > 1 {
		return table + "_local"
	}
	return table
}

// setUp looks at the server and makes the tables that are missing.
func (c *client) setUp(ctx context.Context, o *Options) (shape, error) {
	s, err := c.look(ctx, o.Cluster)
	if err != nil {
		return s, err
	}
	if !isName(o.Database) {
		return s, fmt.Errorf("clickhouse.database: %q is not a name of letters, digits and _", o.Database)
	}
	version, err := c.schemaVersion(ctx, &s)
	switch {
	case err != nil:
		return s, fmt.Errorf("clickhouse: %w", explain(err))
	case version > schemaVersion:
		return s, fmt.Errorf("clickhouse: the tables in %s belong to a newer version of Tidemark", c.database)
	case version == schemaVersion: // nothing is changed, so that a start does not depend on a keeper
		return s, nil
	}
	return s, c.migrate(ctx, &s)
}

// schemaVersion returns that of the tables that are there; 0 if there are none.
func (c *client) schemaVersion(ctx context.Context, s *shape) (int, error) {
	found, err := c.texts(ctx, "SELECT toString(max(version)) AS x FROM "+c.database+"."+s.local("versions"))
	if code(err) == codeUnknownTable || code(err) == codeUnknownDatabase {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(found[0])
}

// look asks a server what it is.
func (c *client) look(ctx context.Context, cluster string) (shape, error) {
	s := shape{shards: 1, replicas: 1, cluster: cluster, database: c.database}
	version, err := c.texts(ctx, "SELECT version() AS x")
	if err != nil {
		return s, fmt.Errorf("clickhouse: %w", explain(err))
	}
	if s.version = parseVersion(version[0]); s.version < oldest {
		return s, fmt.Errorf("clickhouse: version %s is too old: %d.%d or later is needed", version[0], oldest/100, oldest%100)
	}
	if cluster == "" {
		return s, nil
	}
	found, err := c.texts(ctx, "SELECT concat(toString(max(shard_num)), ' ', toString(max(replica_num))) AS x FROM system.clusters WHERE cluster = "+quote(cluster))
	if err != nil {
		return s, fmt.Errorf("clickhouse: %w", explain(err))
	}
	if _, err := fmt.Sscan(found[0], &s.shards, &s.replicas); err != nil || s.shards == 0 {
		return s, fmt.Errorf("clickhouse.cluster: ClickHouse has no cluster %q", cluster)
	}
	return s, c.checkMacros(ctx, &s)
}

// checkMacros makes sure that replicas can be distinguished.
func (c *client) checkMacros(ctx context.Context, s *shape) error {
	if s.replicas == 1 {
		return nil
	}
	macros, err := c.texts(ctx, "SELECT macro AS x FROM system.macros")
	if err != nil {
		return fmt.Errorf("clickhouse: %w", explain(err))
	}
	all := " " + strings.Join(macros, " ") + " "
	if !strings.Contains(all, " shard ") || !strings.Contains(all, " replica ") {
		return fmt.Errorf("clickhouse.cluster: the servers of %q have no macros shard and replica; replicated tables need both", s.cluster)
	}
	return nil
}

// parseVersion makes 2607 of "26.7.3.1".
func parseVersion(text string) int {
	parts := strings.SplitN(text, ".", 3)
	if len(parts) < 2 {
		return 0
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return 0
	}
	return major*100 + minor
}

// texts returns the column x that a question gives.
func (c *client) texts(ctx context.Context, sql string) ([]string, error) {
	var x proto.ColStr
	var found []string
	err := c.each(ctx, &statement{sql: sql, nowhere: true}, proto.Results{column("x", &x)}, func(rows int) error {
		for i := range rows {
			found = append(found, x.Row(i))
		}
		return nil
	})
	if err == nil && len(found) == 0 {
		found = []string{""}
	}
	return found, err
}

func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// noKeeper is what clusters without a keeper say to ON CLUSTER: that none is
// named, or that they do not pass statements on.
var noKeeper = []int{139, 392}

// everywhere runs a statement on all servers of the cluster: by ClickHouse's
// own means or, where it has no keeper to do so, one address after the other.
func (c *client) everywhere(ctx context.Context, s *shape, sql string) error {
	st := &statement{sql: sql, nowhere: true}
	if s.cluster == "" {
		return c.exec(ctx, st)
	}
	head, tail, _ := strings.Cut(sql, "(")
	if tail != "" {
		tail = "(" + tail
	}
	err := c.exec(ctx, &statement{sql: strings.TrimSpace(head) + " ON CLUSTER " + quote(s.cluster) + " " + tail, nowhere: true})
	if !slices.Contains(noKeeper, code(err)) {
		return err
	}
	for at := range c.urls {
		if err := c.run(ctx, at, st); err != nil {
			return err
		}
	}
	return nil
}

// migrate makes the tables, and notes their version.
func (c *client) migrate(ctx context.Context, s *shape) error {
	db := c.database + "."
	shards, err := c.eachShard(ctx, s)
	if err != nil {
		return err
	}
	if err := c.everywhere(ctx, s, "CREATE DATABASE IF NOT EXISTS "+c.database); err != nil {
		return fmt.Errorf("clickhouse: make the database: %w", explain(err))
	}
	make := func(table, columns, engine string) error {
		return c.everywhere(ctx, s, "CREATE TABLE IF NOT EXISTS "+db+table+" ("+columns+") "+engine)
	}
	if err := make(s.local("versions"), "version UInt32", s.engine("versions", "")+" ORDER BY version"); err != nil {
		return fmt.Errorf("clickhouse: make the tables: %w", explain(err))
	}
	for _, t := range s.tables() {
		err := make(s.local(t.name), t.columns+t.index, t.engine)
		if err == nil && s.shards > 1 {
			err = make(t.name, t.columns, "ENGINE = Distributed("+quote(s.cluster)+", "+quote(c.database)+", "+quote(s.local(t.name))+", "+t.shardBy+")")
		}
		if err != nil {
			return fmt.Errorf("clickhouse: make the table %s: %w", t.name, explain(err))
		}
	}
	for _, at := range shards {
		sql := fmt.Sprintf("INSERT INTO %s%s (version) VALUES (%d)", db, s.local("versions"), schemaVersion)
		if err := c.run(ctx, at, &statement{sql: sql, nowhere: true}); err != nil {
			return fmt.Errorf("clickhouse: %w", explain(err))
		}
	}
	return nil
}

// table is one that is made. What is over several shards has no index.
type table struct {
	name, columns, index, engine, shardBy string
}

// engine is that of a table of which rows with a larger version replace others.
func (s *shape) engine(table, version string) string {
	if s.replicas == 1 {
		return "ENGINE = ReplacingMergeTree(" + version + ")"
	}
	args := "'/clickhouse/tables/{shard}/" + s.database + "/" + table + "', '{replica}'"
	if version != "" {
		args += ", " + version
	}
	return "ENGINE = ReplicatedReplacingMergeTree(" + args + ")"
}

// tables are what measurements are kept in. id is of a stream, metric of a
// generation of a metric; k is 0 for a single value, whose other columns are
// 0; sk is an encoded sketch or "".
func (s *shape) tables() []table {
	codec := func(c string) string {
		if s.version < 1901 {
			return ""
		}
		return " CODEC(" + c + ")"
	}
	key := "org UInt64, metric UInt64, id FixedString(16), t UInt32" + codec("DoubleDelta, ZSTD(1)") + ", slot UInt64, seq UInt64" + codec("Delta, ZSTD(1)") + ", "
	values := "v Float64" + codec("ZSTD(1)") + ", n Float64, s Float64, mi Float64, ma Float64, m2 Float64, sk String"
	index, settings := "", " SETTINGS index_granularity=1024"
	if s.version >= 2010 {
		index = ", INDEX seq_range seq TYPE minmax GRANULARITY 4"
		settings += ", fsync_after_insert=1, fsync_part_directory=1"
	}
	if s.version >= 2510 {
		// Statistics are made of every column with every merge, and no question of ours
		// needs them. Most columns are all zero: merging them one by one is quicker.
		settings += ", auto_statistics_types='', vertical_merge_algorithm_min_columns_to_activate=1, vertical_merge_algorithm_min_rows_to_activate=1"
	}
	return []table{
		{"streams", "org UInt64, metric String, gen UInt32, id FixedString(16), key String", "", s.engine("streams", "") + " ORDER BY (org, metric, gen, key)" + settings, "sipHash64(key)"},
		{"records", key + "k UInt8, " + values, index, s.engine("records", "seq") + " PARTITION BY intDiv(t, 86400) ORDER BY (org, metric, id, t, slot)" + settings, "sipHash64(id)"},
		{"hours", key + values, "", s.engine("hours", "seq") + " PARTITION BY intDiv(t, 2592000) ORDER BY (org, metric, id, t, slot)" + settings, "sipHash64(id)"},
	}
}
