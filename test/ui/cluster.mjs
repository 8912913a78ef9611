// Starts PostgreSQL, ClickHouse and three servers behind a balancer, instead of
// one server, and ends them again: what the journeys stand on with
// TIDEMARK_TEST_CLUSTER set.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../scripts/cluster.sh", import.meta.url));

/** What startServer of server.mjs returns, with these settings in the environment. */
export function startCluster(binary, flags, env) {
  if (flags.length > 0) throw new Error(`a cluster takes settings in the environment, not ${flags}`);
  const dir = mkdtempSync("/tmp/tidemark-ui-cluster-"); // PostgreSQL's user must reach it
  const run = (words, options) => execFileSync(script, words, { encoding: "utf8", stdio: ["pipe", "pipe", "inherit"], ...options });
  run(["up", dir], { env: { ...process.env, TIDEMARK_OUTBOUND_ALLOW: "127.0.0.0/8", ...env, TIDEMARK_BIN: binary } });
  const written = readFileSync(join(dir, "env"), "utf8");
  const log = () => ["node1", "node2", "node3"].map((name) => readFileSync(join(dir, "log", name), "utf8")).join("");
  return {
    base: /^BASE=(\S+)/m.exec(written)[1],
    cli: (words, input = "") => run(["cli", dir, ...words], { input }),
    setup: /setup\/(\S+)/.exec(log())[1], // that of the first to start: all print the same
    token: /^TOKEN=(\S+)/m.exec(written)[1],
    log,
    async stop() {
      run(["down", dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
