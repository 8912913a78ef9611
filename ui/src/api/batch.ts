import { type Answer, type Dynamic, queryEach, type Result } from "./query";
import type { OneQuery } from "./ui.gen";

export type At = { start: number; end: number; resolution: number; dynamic: Dynamic[] };
type Job = {
  queries: OneQuery[];
  resolve: (a: Answer) => void;
  reject: (e: unknown) => void;
  signal: AbortSignal | undefined;
};
type Batch = { at: At; jobs: Job[] };

const waiting = new Map<string, Batch>();
const most = 100;

/**
 * Asks for the streams of one chart. Charts that ask in the same moment for
 * the same time share one request: one a page and tick, not one a chart.
 */
export function batched(at: At, queries: OneQuery[], signal?: AbortSignal): Promise<Answer> {
  if (queries.length === 0) return Promise.resolve({ resolution: at.resolution, results: [] });
  return new Promise((resolve, reject) => {
    const key = JSON.stringify(at);
    let batch = waiting.get(key);
    if (!batch) {
      batch = { at, jobs: [] };
      waiting.set(key, batch);
      const mine = batch;
      setTimeout(() => {
        waiting.delete(key);
        for (const jobs of portions(mine.jobs)) void run(mine.at, jobs);
      }, 0);
    }
    batch.jobs.push({ queries, resolve, reject, signal });
  });
}

function portions(jobs: Job[]): Job[][] {
  const out: Job[][] = [[]];
  let n = 0;
  for (const j of jobs.filter((x) => !x.signal?.aborted)) {
    n += j.queries.length;
    if (n > most && out[out.length - 1]?.length) {
      out.push([]);
      n = j.queries.length;
    }
    out[out.length - 1]?.push(j);
  }
  return out.filter((p) => p.length > 0);
}

async function run(at: At, jobs: Job[]): Promise<void> {
  const stop = new AbortController();
  for (const j of jobs) j.signal?.addEventListener("abort", () => jobs.every((x) => x.signal?.aborted) && stop.abort());
  const got = jobs.map((): Result[] => []);
  const resolve = (n: number) => jobs[n]?.resolve({ resolution: at.resolution, results: got[n] ?? [] });
  // A chart is drawn when its own results are there: others may take longer.
  const each = (r: Result) => {
    const [n = "", ...id] = r.id.split(":");
    got[Number(n)]?.push({ ...r, id: id.join(":") });
    if (got[Number(n)]?.length === jobs[Number(n)]?.queries.length) resolve(Number(n));
  };
  try {
    const queries = jobs.flatMap((j, n) => j.queries.map((q) => ({ ...q, id: `${n}:${q.id}` })));
    await queryEach({ ...at, queries }, each, stop.signal);
    for (const n of jobs.keys()) resolve(n);
  } catch (err) {
    for (const j of jobs) j.reject(err);
  }
}
