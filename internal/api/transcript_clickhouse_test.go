package api

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse/clickhousetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestTranscriptsOnClickHouse replays the transcripts on PostgreSQL and
// ClickHouse.
func TestTranscriptsOnClickHouse(t *testing.T) {
	url := clickhousetest.Server(t)
	switch {
	case os.Getenv("TIDEMARK_TEST_CLUSTER") == "":
		t.Skip("takes minutes: make test-cluster does it")
	case *rewrite:
		t.Skip("the answers are those of TestTranscripts")
	}
	replayAll(t, func(t testing.TB) *world {
		database := storetest.Postgres(t)
		st := openStore(t, database)
		numberAsSQLite(t, database)
		engine, err := clickhouse.Open(t.Context(), clickhouse.Options{
			URLs: strings.Split(url, ","), Database: clickhousetest.DatabaseOn(t, url), Cluster: clickhousetest.Cluster(), Ledger: st, Node: "a", CommitInterval: time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { engine.Close() })
		return worldOf(t, st, keptForever{engine}).inhabited(t)
	})
}

// keptForever says of what is kept what the engine in memory says: how long
// that is is a setting, and transcripts show it.
type keptForever struct{ *clickhouse.Engine }

func (keptForever) Tiers() []tsdb.Tier { return memory.New().Tiers() }

// numberAsSQLite has PostgreSQL give out ids as SQLite does, so that a request
// that fails takes none: they are in the transcripts.
func numberAsSQLite(t testing.TB, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `
		CREATE TABLE last_ids (tbl TEXT PRIMARY KEY, id BIGINT);
		CREATE FUNCTION next_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF NEW.id IS NULL THEN
				INSERT INTO last_ids VALUES (TG_TABLE_NAME, 1) ON CONFLICT (tbl) DO UPDATE SET id = last_ids.id + 1 RETURNING id INTO NEW.id;
			END IF;
			RETURN NEW;
		END $$;
		DO $$ DECLARE tbl TEXT; BEGIN
			FOR tbl IN SELECT table_name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES' LOOP
				EXECUTE format('INSERT INTO last_ids SELECT %L, max(id) FROM %I HAVING count(*) > 0', tbl, tbl);
				EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP IDENTITY', tbl);
				EXECUTE format('CREATE TRIGGER next_id BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION next_id()', tbl);
			END LOOP;
		END $$`); err != nil {
		t.Fatal(err)
	}
}
