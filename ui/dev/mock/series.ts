/** Believable measurements: pure functions of metric, tags and time. */
export type MockMetric = {
  name: string;
  unit: string;
  long?: string;
  type?: "gauge" | "composite";
  streams: number;
  tags: Record<string, string[]>;
  level: (tags: Record<string, string>) => number;
  noise?: number;
  bumps?: (tags: Record<string, string>) => [minutesAgo: number, widthMinutes: number, factor: number][];
  period?: number;
};

export const boot = Math.floor(Date.now() / 60000) * 60;

function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
function random(seed: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) >>> 0) / 4294967296;
}
/** Noise that wanders: three octaves of value noise. */
function wander(seed: number, t: number): number {
  let out = 0;
  for (const [scale, weight] of [
    [4200, 0.5],
    [900, 0.3],
    [180, 0.2],
  ] as const) {
    const at = t / scale;
    const i = Math.floor(at);
    const f = at - i;
    const smooth = f * f * (3 - 2 * f);
    out += weight * (random(seed + i * 7919 + scale) * (1 - smooth) + random(seed + (i + 1) * 7919 + scale) * smooth);
  }
  return out * 2 - 1;
}

export function valueAt(m: MockMetric, tags: Record<string, string>, t: number): number {
  const seed = hash(m.name + JSON.stringify(tags));
  const level = m.level(tags);
  let v = level * (1 + (m.noise ?? 0.12) * wander(seed, t));
  for (const [ago, width, factor] of m.bumps?.(tags) ?? []) {
    const since = (t - (boot - ago * 60)) / 60;
    if (since < 0) continue;
    const rise = width * 0.18;
    const shape = since < rise ? since / rise : Math.exp(-(((since - rise) / (width * 0.42)) ** 2) * 1.1);
    if (shape > 0.002) v += level * (factor - 1) * shape;
  }
  return Math.max(0, Number(v.toPrecision(6)));
}

const regions = ["eu-central", "us-east", "ap-south"];
const hosts = ["web-01", "web-02", "web-03", "web-04", "web-05", "web-06"];
const share = (list: string[], v: string | undefined, weights: number[]) =>
  v === undefined ? 1 : (weights[list.indexOf(v)] ?? 0.1);
const env = { environment: ["production", "staging"] };
const checkout = { ...env, region: [...regions, "sa-east"], host: hosts };
const failover: [number, number, number][] = [[178, 42, 2.3]];
const late: [number, number, number][] = [
  [178, 42, 2.25],
  [86, 70, 1.75],
  [12, 400, 1.55],
];

export const metrics: MockMetric[] = [
  { name: "cache.hit_ratio", unit: "%", streams: 4, tags: { host: hosts.slice(0, 4) }, level: () => 94, noise: 0.03 },
  {
    name: "checkout.errors",
    unit: "/min",
    streams: 14,
    tags: { ...checkout, status: ["500", "502", "504"] },
    level: (t) => 4.4 * share(["500", "502", "504"], t.status, [2, 0.9, 0.6]),
    noise: 0.5,
    bumps: (t) => [
      [178, 40, t.status === "504" ? 2 : t.status === "502" ? 14 : 6],
      ...(t.status === "504" ? ([[86, 40, 7]] as [number, number, number][]) : []),
    ],
  },
  {
    name: "checkout.latency.p50",
    unit: "ms",
    streams: 42,
    tags: checkout,
    level: () => 43,
    noise: 0.06,
    bumps: () => [
      [178, 42, 1.5],
      [86, 70, 1.3],
    ],
  },
  {
    name: "checkout.latency.p95",
    unit: "ms",
    streams: 42,
    tags: checkout,
    level: () => 126,
    noise: 0.09,
    bumps: () => [
      [178, 42, 2],
      [86, 70, 1.6],
    ],
  },
  {
    name: "checkout.latency.p99",
    unit: "ms",
    streams: 42,
    tags: checkout,
    level: (t) => 205 * share(regions, t.region, [1, 0.85, 0.7]),
    noise: 0.09,
    bumps: () => late,
  },
  {
    name: "checkout.orders",
    unit: "/min",
    streams: 6,
    tags: { ...env, region: regions },
    level: () => 86,
    noise: 0.1,
    bumps: () => [[172, 40, 0.5]],
  },
  {
    name: "checkout.payment.declined",
    unit: "/min",
    streams: 6,
    tags: { ...env, region: regions },
    level: () => 1.2,
    noise: 0.4,
  },
  { name: "checkout.request.bytes", unit: "B", streams: 14, tags: checkout, level: () => 18200 },
  {
    name: "checkout.requests",
    unit: "/s",
    long: "requests per second",
    streams: 42,
    tags: checkout,
    level: (t) =>
      1500 *
      share(regions, t.region, [0.53, 0.36, 0.11]) *
      (t.host ? share(hosts, t.host, [0.18, 0.166, 0.155, 0.135, 0.116, 0.108]) : 1),
    noise: 0.1,
    bumps: () => [[178, 40, 0.7]],
    period: 10,
  },
  {
    name: "checkout.requests.retried",
    unit: "/s",
    streams: 42,
    tags: checkout,
    level: () => 3.1,
    noise: 0.3,
    bumps: () => failover,
  },
  {
    name: "checkout.success.ratio",
    unit: "%",
    type: "composite",
    streams: 1,
    tags: {},
    level: () => 99.6,
    noise: 0.002,
  },
  { name: "checkout.worker.busy", unit: "%", streams: 8, tags: { host: hosts }, level: () => 62 },
  { name: "checkout.worker.restarts", unit: "", streams: 8, tags: { host: hosts }, level: () => 0 },
  { name: "cron.nightly.finished", unit: "", streams: 1, tags: {}, level: () => 1, noise: 0 },
  {
    name: "db.replication.lag",
    unit: "s",
    streams: 2,
    tags: { host: ["db-01", "db-02"] },
    level: () => 0.8,
    noise: 0.4,
    bumps: () => [[180, 30, 40]],
  },
  {
    name: "queue.depth",
    unit: "jobs",
    streams: 3,
    tags: { queue: ["mail", "invoice", "index"] },
    level: (t) => 34 * share(["mail", "invoice", "index"], t.queue, [1, 6, 64]),
    noise: 0.35,
    bumps: (t) => (t.queue === "index" ? [] : [[160, 70, t.queue === "mail" ? 20 : 26]]),
  },
  { name: "search.error_ratio", unit: "%", streams: 3, tags: { region: regions }, level: () => 0.4, noise: 0.3 },
  { name: "search.latency.p95", unit: "ms", streams: 3, tags: { region: regions }, level: () => 180 },
  {
    name: "system.cpu.utilization",
    unit: "%",
    streams: 14,
    tags: { ...env, host: hosts.slice(0, 4) },
    level: (t) => 42 * share(hosts, t.host, [0.8, 0.98, 1.1, 1.32]),
    noise: 0.22,
    bumps: (t) => [[178, 36, t.host === "web-03" ? 2.2 : 1.2]],
  },
  {
    name: "system.disk.used_percent",
    unit: "%",
    streams: 14,
    tags: { ...env, host: hosts },
    level: () => 61,
    noise: 0.02,
  },
  {
    name: "system.memory.used",
    unit: "B",
    streams: 14,
    tags: { ...env, host: hosts },
    level: () => 6.2e9,
    noise: 0.05,
  },
  {
    name: "worker.heartbeat",
    unit: "",
    streams: 8,
    tags: { host: ["worker-01", "worker-02", "worker-07"] },
    level: () => 1,
    noise: 0,
  },
];

type Filter = { name: string; values?: string[]; grouped?: boolean; dynamic?: boolean };
export type MockQuery = {
  id: string;
  metric?: string;
  tags?: Filter[];
  composite?: string;
  group_function?: string;
  group_by?: string[];
};

const glob = (p: string, v: string) =>
  new RegExp(`^${p.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(v);
const matches = (values: string[] | undefined, v: string) =>
  !values?.length || values.some((p) => (p.startsWith("!") ? !glob(p.slice(1), v) : glob(p, v)));

/** The series of one query: grouped tags give one line a value, everything else is folded. */
export function answer(
  q: MockQuery,
  dynamic: { name: string; values: string[]; grouped: boolean }[],
  start: number,
  end: number,
  step: number,
) {
  const m = metrics.find((x) => x.name === q.metric);
  if (!m) return { id: q.id, series: [], streams: 0 };
  const filters = (q.tags ?? []).map((f) => {
    const d = f.dynamic ? dynamic.find((x) => x.name === f.name) : undefined;
    return d ? { ...f, values: d.values, grouped: d.grouped } : f;
  });
  const by = [...new Set([...(q.group_by ?? []), ...filters.filter((f) => f.grouped).map((f) => f.name)])].filter(
    (n) => m.tags[n],
  );
  let groups: Record<string, string>[] = [{}];
  const spread = q.group_function ? by : Object.keys(m.tags).slice(-1);
  for (const name of spread) {
    const wanted = filters.find((f) => f.name === name)?.values;
    const values = (m.tags[name] ?? []).filter((v) => matches(wanted, v) && v !== "sa-east");
    groups = groups.flatMap((g) => values.map((v) => ({ ...g, [name]: v })));
  }
  const now = Date.now() / 1000;
  const series = groups.map((tags) => {
    const times: number[] = [];
    const values: number[] = [];
    for (let t = Math.ceil(start / step) * step; t < end && t <= now; t += step) {
      times.push(t);
      values.push(valueAt(m, tags, t));
    }
    return { metric: m.name, tags, times, values };
  });
  return { id: q.id, series, streams: m.streams, period: m.period ?? 60 };
}
