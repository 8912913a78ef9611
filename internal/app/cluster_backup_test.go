package app

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse/clickhousetest"
)

// documented returns the commands of docs/scaling.md between two of its
// sentences, without the comments.
func documented(t *testing.T, after, before string) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, found := strings.Cut(string(text), after)
	part, _, ends := strings.Cut(part, before)
	if !found || !ends {
		t.Fatalf("docs/scaling.md has no %q, or no %q after it", after, before)
	}
	var commands []string
	for line := range strings.Lines(part) {
		if command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    "); ok && !strings.HasPrefix(command, "#") {
			commands = append(commands, command)
		}
	}
	return commands
}

// shell runs commands in dir with variables; between the commands, then is
// called with each.
func shell(t *testing.T, dir string, env map[string]string, commands []string, then func(command string)) {
	t.Helper()
	for _, command := range commands {
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", command)
		cmd.Dir, cmd.Env = dir, os.Environ()
		for name, value := range env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%v: %s", command, err, out)
		}
		then(command)
	}
}

// inPostgres runs SQL on PostgreSQL and returns the first value as text, if any.
func inPostgres(t *testing.T, database, sql string) (found string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if rows.Next() {
		if err := rows.Scan(&found); err != nil {
			t.Fatal(err)
		}
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return found
}

// TestServersBackup is the restore drill of many servers on ClickHouse: the
// commands of docs/scaling.md, everything lost in between, and the answers have
// the same bytes; also from an incremental backup. What is written afterwards
// replaces what was restored, and hours that were made after ClickHouse was
// copied are made again.
func TestServersBackup(t *testing.T) {
	server := clickhousetest.Server(t)
	if clickhousetest.Cluster() != "" || strings.Contains(server, ",") {
		t.Skip("the commands of this test are those for one ClickHouse")
	}
	inClickHouse := func(sql string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		if err := clickhousetest.Exec(ctx, server, sql); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { inClickHouse("DROP DATABASE IF EXISTS tidemark") })
	dir, name := t.TempDir(), "drill-"+filepath.Base(t.TempDir())+time.Now().Format("150405.000000")
	flags := map[string]string{"database": storetest.Database(t), "engine": "clickhouse", "clickhouse.urls": server, "bootstrap_token": bootstrap,
		"secrets.key_file": filepath.Join(dir, keyFile)}
	s := start(t, settings(t, flags))
	s.Secret = bootstrap
	fill(t, s)
	before := fewAnswers(t, s)
	one := client.Measurement{Name: "drill.value", Value: 1, Time: time.Now().Unix() - 60, Tags: map[string]string{"host": "a"}}
	if err := client.New(s.URL, client.Token(bootstrap)).Record(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	backUp := documented(t, "if they are made in this order", "\n- Measurements are numbered")
	restore := documented(t, "To restore, with no server running", "\nThe last line takes away")
	if len(backUp) != 3 || len(restore) != 4 {
		t.Fatalf("the commands are %q and %q", backUp, restore)
	}
	env := map[string]string{"DATABASE": flags["database"], "CLICKHOUSE": server, "TO": "File('" + name + "-1')"}
	shell(t, dir, env, backUp, func(string) {})
	env["TO"] = "File('" + name + "-2') SETTINGS base_backup = File('" + name + "-1')"
	shell(t, dir, env, backUp, func(command string) {
		if strings.Contains(command, "BACKUP") { // a server makes hours before PostgreSQL is dumped
			inPostgres(t, flags["database"], `INSERT INTO engine_marks (name, value) VALUES ('hours', 7), ('hours_until', 9999999999) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
		}
	})
	s.end(t)

	inClickHouse("DROP DATABASE tidemark SYNC")
	flags["database"] = storetest.Database(t)
	env["DATABASE"], env["TO"] = flags["database"], "File('"+name+"-2')"
	shell(t, dir, env, restore, func(string) {})
	for mark, want := range map[string]string{"hours": "0", "hours_until": "0"} {
		if got := inPostgres(t, flags["database"], `SELECT value::text FROM engine_marks WHERE name = '`+mark+`'`); got != want {
			t.Errorf("the mark %s is %s: hours that are not in the copy count as made", mark, got)
		}
	}
	again := start(t, settings(t, flags))
	again.Secret = bootstrap
	if after := fewAnswers(t, again); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	one.Value = 2
	c := client.New(again.URL, client.Token(bootstrap))
	if err := c.Record(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	series, err := c.Measurements(t.Context(), one.Name, url.Values{"resolution": {"1"}, "duration": {"3600"}})
	if err != nil || len(series) != 1 || len(series[0].Measurements) != 1 || series[0].Measurements[0].Value != 2 {
		t.Errorf("what is written after restoring does not replace what was there: %+v, %v", series, err)
	}
	again.end(t)
}
