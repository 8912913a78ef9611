import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";
import type { Chart, Event } from "../../src/api/types.gen.ts";
import type { Answers, Layout, MetricSummary, Session, SpaceSummary } from "../../src/api/ui.gen.ts";
import { check, evaluate, functions } from "./compose.ts";
import { answer, type MockQuery, metrics, valueAt } from "./series.ts";
import { state } from "./state.ts";

type Req = { method: string; path: string; query: URLSearchParams; body: never; params: string[] };
type Answer = { status?: number; body?: unknown };
export type Route = [method: string, pattern: RegExp, handle: (r: Req) => Answer];

/** What a route answers; of the interface's own routes the server says what that is. */
const ok = <T = unknown>(body: T): Answer => ({ body });
const done: Answer = { status: 204 };
const session = (): Session => ({
  user: { id: 1, email: "owner@example.org", name: "" },
  org: { id: 1, last: true, name: "Example Shop", short_name: "" },
  role: (process.env.MOCK_ROLE ?? "admin") as Session["role"],
  orgs: [
    { id: 1, name: "Example Shop", role: "admin" },
    { id: 2, name: "Example Lab", role: "viewer" },
  ],
  server: "https://metrics.example.org",
  version: "1.0.0",
  must_enrol: false,
  operator: false,
  has_data: true,
});
const lastOf = (m: (typeof metrics)[number]) => valueAt(m, {}, Math.floor(Date.now() / 60000) * 60);
const summary = (m: (typeof metrics)[number]): MetricSummary => ({
  name: m.name,
  display_name: null,
  type: m.type ?? "gauge",
  units: m.unit,
  last_value: lastOf(m),
  last_at: Math.floor(Date.now() / 1000) - 4,
  streams: m.streams,
});
function found(q: string) {
  const text = q.toLowerCase().trim();
  if (text.includes("*")) {
    const re = new RegExp(`^${text.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
    return metrics.filter((m) => re.test(m.name));
  }
  return metrics.filter((m) => text.split(/\s+/).every((w) => m.name.includes(w)));
}
const summaries = (): (SpaceSummary & { name: string })[] =>
  state.spaces.map((s) => ({
    ...s,
    charts: state.charts.get(s.id)?.length ?? 0,
    pinned: state.pins.includes(s.id),
    pin: state.pins.indexOf(s.id) + 1,
    opened_at: state.opened.get(s.id) ?? 0,
    tags: [],
    owner: 1,
    owner_name: "owner@example.org",
    edited_at: 0,
    edited_by: "user:owner@example.org",
  }));
const foundCharts = (q: string): Answers["GET /ui/api/charts"]["charts"] =>
  state.spaces.flatMap((s) =>
    (state.charts.get(s.id) ?? [])
      .filter((c) => String(c.name).toLowerCase().includes(q))
      .map((c) => ({ id: c.id, name: String(c.name), space: s.id, space_name: s.name ?? "", metrics: [] })),
  );
type QueryBody = {
  start: number;
  end: number;
  resolution: number;
  queries: MockQuery[];
  dynamic: { name: string; values: string[]; grouped: boolean }[];
};
const run = (b: QueryBody) => ({
  resolution: b.resolution,
  results: b.queries.map((q) =>
    q.composite
      ? evaluate(q.id, q.composite, b.start, b.end, b.resolution)
      : answer(q, b.dynamic ?? [], b.start, b.end, b.resolution),
  ),
});
const chartsOf = (id: number) => {
  const list = state.charts.get(id) ?? [];
  state.charts.set(id, list);
  return list;
};
const id = (s: string | undefined) => Number(s);

export const routes: Route[] = [
  [
    "GET",
    /^\/ui\/api\/org$/,
    () =>
      ok<Answers["GET /ui/api/org"]>({
        id: 1,
        name: "Example Shop",
        created_at: 0,
        alerts_before_metrics: false,
        token_max_days: 0,
        short_name: "",
        second_factor: false,
        retention: [
          { window: 1, retention: 691200 },
          { window: 60, retention: 5356800 },
          { window: 3600, retention: 157680000 },
        ],
      }),
  ],
  [
    "GET",
    /^\/ui\/api\/session$/,
    () =>
      state.signedIn
        ? ok<Answers["GET /ui/api/session"]>(session())
        : { status: 401, body: { errors: { request: ["Sign in first."] } } },
  ],
  ["PUT", /^\/ui\/api\/session$/, () => ok<Answers["PUT /ui/api/session"]>(session())],
  [
    "POST",
    /^\/ui\/api\/session$/,
    () => {
      state.signedIn = true;
      return ok<Answers["POST /ui/api/session"]>(session());
    },
  ],
  [
    "DELETE",
    /^\/ui\/api\/session$/,
    () => {
      state.signedIn = false;
      return done;
    },
  ],
  [
    "GET",
    /^\/ui\/api\/signin$/,
    () =>
      ok<Answers["GET /ui/api/signin"]>({
        needs_setup: false,
        oidc: { title: "Sign in with Example" },
        passwords: true,
        mail_reset: true,
      }),
  ],
  ["POST", /^\/ui\/api\/query$/, (r) => ok<Answers["POST /ui/api/query"]>(run(r.body))],
  [
    "GET",
    /^\/ui\/api\/metrics$/,
    (r) => {
      const hit = found(r.query.get("q") ?? "");
      const offset = Number(r.query.get("offset") ?? 0);
      return ok<Answers["GET /ui/api/metrics"]>({
        query: { found: hit.length, total: 1846, offset, length: hit.length },
        metrics: hit.slice(offset, offset + Number(r.query.get("length") ?? 100)).map(summary),
        ...(hit.length === 0 && { did_you_mean: "checkout" }),
      });
    },
  ],
  [
    "GET",
    /^\/ui\/api\/metrics\/([^/]+)\/uses$/,
    () =>
      ok<Answers["GET /ui/api/metrics/{name}/uses"]>({
        spaces: state.spaces.slice(0, 3),
        alerts: state.alerts.slice(0, 2).map((a) => ({ id: a.id, name: a.name })),
      }),
  ],
  [
    "GET",
    /^\/v1\/metrics\/([^/]+)$/,
    (r) => {
      const m = metrics.find((x) => x.name === r.params[0]);
      return m
        ? ok({
            name: m.name,
            display_name: null,
            type: m.type ?? "gauge",
            description: null,
            period: m.period ?? 60,
            source_lag: null,
            ...(m.type === "composite" && { composite: 's("checkout.requests", "*")' }),
            attributes: {
              display_units_short: m.unit,
              display_units_long: m.long ?? null,
              created_by_ua: "telegraf/1.34",
            },
          })
        : { status: 404, body: { errors: { request: ["Not Found"] } } };
    },
  ],
  ["PUT", /^\/v1\/metrics\/([^/]+)$/, () => done],
  ["DELETE", /^\/v1\/metrics\/([^/]+)$/, () => done],
  [
    "GET",
    /^\/ui\/api\/tags$/,
    (r) => {
      const of = (r.query.get("metrics") ?? "").split(",").filter(Boolean);
      const used = metrics.filter((m) => of.length === 0 || of.includes(m.name));
      const name = r.query.get("name");
      if (name) {
        const values = [...new Set(used.flatMap((m) => m.tags[name] ?? []))].filter((v) =>
          v.includes(r.query.get("q") ?? ""),
        );
        return ok<Answers["GET /ui/api/tags"]>({
          values: values.map((value) => ({ value, streams: value === "sa-east" ? 2 : 14 })),
        });
      }
      const names = [...new Set(used.flatMap((m) => Object.keys(m.tags)))];
      return ok<Answers["GET /ui/api/tags"]>({ tags: names.map((n) => ({ name: n, values: 4, streams: 42 })) });
    },
  ],
  [
    "POST",
    /^\/ui\/api\/compose\/check$/,
    (r) => {
      const e = check((r.body as { composite: string }).composite);
      return ok<Answers["POST /ui/api/compose/check"]>(
        e ? { ok: false, error: e } : { ok: true, formatted: (r.body as { composite: string }).composite },
      );
    },
  ],
  ["GET", /^\/ui\/api\/compose\/functions$/, () => ok<Answers["GET /ui/api/compose/functions"]>({ functions })],
  ["GET", /^\/ui\/api\/spaces$/, () => ok<Answers["GET /ui/api/spaces"]>({ spaces: summaries() })],
  [
    "PUT",
    /^\/ui\/api\/pins$/,
    (r) => {
      state.pins = (r.body as { spaces: number[] }).spaces;
      return done;
    },
  ],
  [
    "POST",
    /^\/v1\/spaces$/,
    (r) => {
      const s = { id: state.next++, name: (r.body as { name: string }).name };
      state.spaces.push(s);
      return { status: 201, body: s };
    },
  ],
  [
    "GET",
    /^\/v1\/spaces\/(\d+)$/,
    (r) => {
      const s = state.spaces.find((x) => x.id === id(r.params[0]));
      return s
        ? ok({ ...s, charts: chartsOf(s.id).map((c) => ({ id: c.id })) })
        : { status: 404, body: { errors: { request: ["Not Found"] } } };
    },
  ],
  [
    "PUT",
    /^\/v1\/spaces\/(\d+)$/,
    (r) => {
      const s = state.spaces.find((x) => x.id === id(r.params[0]));
      if (s) s.name = (r.body as { name: string }).name;
      return done;
    },
  ],
  [
    "DELETE",
    /^\/v1\/spaces\/(\d+)$/,
    (r) => {
      state.spaces = state.spaces.filter((x) => x.id !== id(r.params[0]));
      return done;
    },
  ],
  ["GET", /^\/v1\/spaces\/(\d+)\/charts$/, (r) => ok(chartsOf(id(r.params[0])))],
  [
    "POST",
    /^\/v1\/spaces\/(\d+)\/charts$/,
    (r) => {
      const c = { ...(r.body as object), id: state.next++ };
      chartsOf(id(r.params[0])).push(c);
      return { status: 201, body: c };
    },
  ],
  [
    "PUT",
    /^\/v1\/spaces\/(\d+)\/charts\/(\d+)$/,
    (r) => {
      const c = chartsOf(id(r.params[0])).find((x) => x.id === id(r.params[1]));
      Object.assign(c ?? {}, r.body as object);
      return ok(c);
    },
  ],
  [
    "DELETE",
    /^\/v1\/spaces\/(\d+)\/charts\/(\d+)$/,
    (r) => {
      state.charts.set(
        id(r.params[0]),
        chartsOf(id(r.params[0])).filter((c) => c.id !== id(r.params[1])),
      );
      return done;
    },
  ],
  [
    "GET",
    /^\/ui\/api\/spaces\/(\d+)\/layout$/,
    (r) =>
      ok<Answers["GET /ui/api/spaces/{space}/layout"]>(
        state.layouts.get(id(r.params[0])) ?? {
          layout: [],
          default_tags: [],
          annotations: [],
          updated_at: 0,
          updated_by: "",
        },
      ),
  ],
  [
    "PUT",
    /^\/ui\/api\/spaces\/(\d+)\/opened$/,
    (r) => {
      state.opened.set(id(r.params[0]), Math.floor(Date.now() / 1000));
      return done;
    },
  ],
  [
    "PUT",
    /^\/ui\/api\/spaces\/(\d+)\/layout$/,
    (r) => {
      state.layouts.set(id(r.params[0]), {
        ...(r.body as Layout),
        updated_at: Math.floor(Date.now() / 1000),
        updated_by: "owner@example.org",
      });
      return done;
    },
  ],
  [
    "POST",
    /^\/ui\/api\/spaces\/(\d+)\/duplicate$/,
    (r) => {
      const s = { id: state.next++, name: (r.body as { name: string }).name };
      state.spaces.push(s);
      state.charts.set(s.id, structuredClone(chartsOf(id(r.params[0]))));
      return { status: 201, body: s };
    },
  ],
  [
    "GET",
    /^\/ui\/api\/spaces\/(\d+)\/export$/,
    (r) =>
      ok<Answers["GET /ui/api/spaces/{space}/export"]>({
        tidemark_space: 1,
        name: state.spaces.find((s) => s.id === id(r.params[0]))?.name ?? "",
        default_tags: [],
        annotations: [],
        charts: chartsOf(id(r.params[0])) as unknown as Chart[],
        layout: [],
      }),
  ],
  [
    "POST",
    /^\/ui\/api\/spaces\/import$/,
    (r) => {
      const b = r.body as { name: string; charts: never[] };
      const s = { id: state.next++, name: b.name };
      state.spaces.push(s);
      state.charts.set(s.id, b.charts ?? []);
      return { status: 201, body: s };
    },
  ],
  [
    "GET",
    /^\/ui\/api\/spaces\/(\d+)\/shares$/,
    (r) => ok<Answers["GET /ui/api/spaces/{space}/shares"]>({ shares: state.shares.get(id(r.params[0])) ?? [] }),
  ],
  [
    "POST",
    /^\/ui\/api\/spaces\/(\d+)\/shares$/,
    (r) => {
      const b = r.body as { name: string; expires_in: number };
      const now = Math.floor(Date.now() / 1000);
      const s = {
        id: state.next++,
        space: id(r.params[0]),
        playlist: 0,
        name: b.name,
        created_by: "owner@example.org",
        created_at: now,
        expires_at: now + b.expires_in,
        last_opened_at: 0,
        locked_tags: null,
      };
      state.shares.set(id(r.params[0]), [...(state.shares.get(id(r.params[0])) ?? []), s]);
      return { status: 201, body: { ...s, url: "https://metrics.example.org/s/7hQ2vXn8RkT4pLw9ZcYb3s" } };
    },
  ],
  [
    "DELETE",
    /^\/ui\/api\/shares\/(\d+)$/,
    (r) => {
      for (const [k, v] of state.shares)
        state.shares.set(
          k,
          v.filter((s) => s.id !== id(r.params[0])),
        );
      return done;
    },
  ],
  [
    "GET",
    /^\/ui\/api\/shared\/([^/]+)$/,
    (r) =>
      r.params[0] === "gone"
        ? { status: 404, body: { errors: { request: ["Not Found"] } } }
        : ok<Answers["GET /ui/api/shared/{key}"]>({
            name: "Checkout production",
            org: "Example Shop",
            charts: chartsOf(1) as unknown as Chart[],
            default_tags: [],
            layout: state.layouts.get(1)?.layout ?? [],
            annotations: ["deploys"],
            locked_tags: null,
            expires_at: Math.floor(Date.now() / 1000) + 86400 * 20,
          }),
  ],
  [
    "POST",
    /^\/ui\/api\/shared\/([^/]+)\/query$/,
    (r) => {
      const b = r.body as QueryBody & { chart: number };
      const chart = chartsOf(1).find((c) => c.id === b.chart) as { streams: MockQuery[] } | undefined;
      return ok<Answers["POST /ui/api/shared/{key}/query"]>(
        run({ ...b, queries: (chart?.streams ?? []).map((s, i) => ({ ...s, id: String(i) })) }),
      );
    },
  ],
  [
    "GET",
    /^\/ui\/api\/shared\/([^/]+)\/annotations$/,
    () =>
      ok<Answers["GET /ui/api/shared/{key}/annotations"]>({
        events: (state.events.deploys ?? []).map((e) => ({ ...e, stream: "deploys" })),
      }),
  ],
  [
    "GET",
    /^\/v1\/annotations$/,
    () =>
      ok({
        query: { found: 2, total: 2, offset: 0, length: 2 },
        annotations: Object.keys(state.events).map((name) => ({ name, display_name: null })),
      }),
  ],
  [
    "GET",
    /^\/v1\/annotations\/([^/]+)$/,
    (r) => {
      const [from, to] = [Number(r.query.get("start_time") ?? 0), Number(r.query.get("end_time") ?? 1e12)];
      return ok({
        name: r.params[0],
        display_name: null,
        events: {
          unassigned: (state.events[r.params[0] ?? ""] ?? []).filter(
            (e) => (e.start_time as number) >= from && (e.start_time as number) <= to,
          ),
        },
      });
    },
  ],
  [
    "POST",
    /^\/v1\/annotations\/([^/]+)$/,
    (r) => {
      const e = {
        description: null,
        source: null,
        end_time: null,
        links: [],
        start_time: Math.floor(Date.now() / 1000),
        ...(r.body as Pick<Event, "title">),
        id: state.next++,
      };
      state.events[r.params[0] ?? ""] = [...(state.events[r.params[0] ?? ""] ?? []), e];
      return { status: 201, body: e };
    },
  ],
  [
    "GET",
    /^\/ui\/api\/alerts$/,
    () =>
      ok<Answers["GET /ui/api/alerts"]>({
        alerts: state.alerts,
        firing: 2,
        evaluated_at: Math.floor(Date.now() / 1000) - 8,
        late: 0,
      }),
  ],
  [
    "GET",
    /^\/ui\/api\/charts$/,
    (r) => ok<Answers["GET /ui/api/charts"]>({ charts: foundCharts((r.query.get("q") ?? "").toLowerCase()) }),
  ],
  [
    "GET",
    /^\/ui\/api\/search$/,
    (r) => {
      const q = (r.query.get("q") ?? "").toLowerCase();
      return ok<Answers["GET /ui/api/search"]>({
        alerts: state.alerts
          .filter((a) => a.name.includes(q))
          .map((a) => ({ id: a.id, name: a.name, state: a.state, since: a.since })),
        spaces: summaries().filter((s) => s.name.toLowerCase().includes(q)),
        charts: foundCharts(q).slice(0, 6),
        metrics: found(q).slice(0, 6).map(summary),
      });
    },
  ],
];

async function read(req: IncomingMessage): Promise<never> {
  let text = "";
  for await (const chunk of req) text += chunk;
  return (text ? JSON.parse(text) : undefined) as never;
}

function streams(res: ServerResponse, of: string[]): void {
  res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const said = { stream: of.findIndex((path) => path.endsWith("/ui/api/watch")), event: "firing", data: '{"count":2}' };
  res.write(`event: said\ndata: ${JSON.stringify(said)}\n\n`);
}

/** Answers /v1 and /ui/api during development, so that pages can be built before the server can. */
export function mock(extra: Route[] = []): Plugin {
  return {
    name: "tidemark-mock",
    configureServer(server) {
      server.middlewares.use(async (req, res, next) => {
        const url = new URL((req.url ?? "/").replace(/^\/o\/[^/]+(?=\/(v1|ui\/api)\/)/, ""), "http://mock");
        if (!url.pathname.startsWith("/v1/") && !url.pathname.startsWith("/ui/api/")) return next();
        if (url.pathname === "/ui/api/streams") return streams(res, url.searchParams.getAll("of"));
        for (const [method, pattern, handle] of [...extra, ...routes]) {
          const hit = pattern.exec(url.pathname);
          if (!hit || method !== req.method) continue;
          const said = handle({
            method,
            path: url.pathname,
            query: url.searchParams,
            body: await read(req),
            params: hit.slice(1).map(decodeURIComponent),
          });
          res.statusCode = said.status ?? 200;
          res.setHeader("Content-Type", "application/json");
          return void res.end(said.body === undefined ? "" : JSON.stringify(said.body));
        }
        res.statusCode = 404;
        res.end(JSON.stringify({ errors: { request: [`the mock does not know ${req.method} ${url.pathname}`] } }));
      });
    },
  };
}
