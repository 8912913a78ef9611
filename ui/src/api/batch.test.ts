import { afterEach, expect, test, vi } from "vitest";
import { batched } from "./batch";
import { streamQueries } from "./query";

afterEach(() => vi.unstubAllGlobals());

const at = { start: 0, end: 60, resolution: 60, dynamic: [] };
type Body = { start: number; queries: { id: string; metric: string }[] };

/** Results as the server writes them. */
const lined = (results: object[]) =>
  `{"resolution":60,"results":[\n${results.map((r) => `${JSON.stringify(r)}\n`).join(",")}]}\n`;

function server(): Body[] {
  const asked: Body[] = [];
  vi.stubGlobal("fetch", async (_: string, init: { body: string }) => {
    const body = JSON.parse(init.body) as Body;
    asked.push(body);
    const results = body.queries.map((q) => ({
      id: q.id,
      series: [{ metric: q.metric, tags: {}, times: [], values: [] }],
    }));
    return new Response(lined(results));
  });
  return asked;
}

test("charts of one moment share a request and each gets its own", async () => {
  const asked = server();
  const [a, b] = await Promise.all([
    batched(at, [{ id: "0", metric: "a" }]),
    batched(at, [
      { id: "0", metric: "b" },
      { id: "1", metric: "c" },
    ]),
  ]);
  expect(asked).toHaveLength(1);
  expect(a.results.map((r) => [r.id, r.series[0]?.metric])).toEqual([["0", "a"]]);
  expect(b.results.map((r) => [r.id, r.series[0]?.metric])).toEqual([
    ["0", "b"],
    ["1", "c"],
  ]); // prettier-ignore
});

test("other times are other requests, and nothing asks for nothing", async () => {
  const asked = server();
  await Promise.all([
    batched(at, [{ id: "0", metric: "a" }]),
    batched({ ...at, end: 120 }, [{ id: "0", metric: "a" }]),
    batched(at, []),
  ]);
  expect(asked).toHaveLength(2);
});

test("a chart does not wait for the results of another one, and an answer that is cut short fails the rest", async () => {
  let to: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      to = controller;
    },
  });
  const send = (text: string) => to?.enqueue(new TextEncoder().encode(text));
  vi.stubGlobal("fetch", async () => new Response(body));
  const first = batched(at, [{ id: "0", metric: "a" }]);
  const second = batched(at, [
    { id: "0", metric: "b" },
    { id: "1", metric: "c" },
  ]);
  const failed = expect(second).rejects.toThrow("The answer was cut short.");
  send('{"resolution":60,"results":[\n{"id":"0:0","series":[],"streams":0}\n');
  await expect(first).resolves.toEqual({ resolution: 60, results: [{ id: "0", series: [], streams: 0 }] });
  send(',{"id":"1:0","series":[],"streams":0}\n,{"id":"1:1","ser');
  to?.close();
  await failed;
});

test("a failure reaches everyone who waited", async () => {
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 500 }));
  const both = await Promise.allSettled([
    batched(at, [{ id: "0", metric: "a" }]),
    batched(at, [{ id: "0", metric: "b" }]),
  ]);
  expect(both.map((r) => r.status)).toEqual(["rejected", "rejected"]);
});

test("streams become queries: grouped, broken out, composite", () => {
  expect(
    streamQueries([
      {
        metric: "a",
        tags: [
          { name: "host", grouped: true },
          { name: "env", values: ["prod"] },
        ],
        summary_function: "max",
      },
      { metric: "b", group_function: "breakout" },
      { composite: "s()" },
      { metric: "deploys", type: "annotation" },
    ]),
  ).toEqual([
    {
      id: "0",
      metric: "a",
      tags: [
        { name: "host", grouped: true },
        { name: "env", values: ["prod"] },
      ],
      summary_function: "max",
      group_function: "mean",
      group_by: ["host"],
    },
    { id: "1", metric: "b" },
    { id: "2", composite: "s()" },
  ]);
});

test("streams that would be a line each may come as a band", () => {
  const streams = [{ metric: "a", group_function: "breakout" }, { composite: "s()" }, { metric: "c" }];
  expect(streamQueries(streams, undefined, 1000)).toEqual([
    { id: "0", metric: "a", summarize: 1000 },
    { id: "1", composite: "s()", summarize: 1000 },
    { id: "2", metric: "c", group_function: "mean", group_by: [] },
  ]);
});

test("distributions are asked for of all together, or for each value of a tag", () => {
  const streams = [{ metric: "a", group_function: "sum" }, { composite: "s()" }, {}];
  const asked = { distribution: true, percentiles: [50, 99.9] };
  expect(streamQueries(streams, { by: "", percentiles: [50, 99.9] })).toEqual([
    { id: "0", metric: "a", ...asked },
    { id: "1", composite: "s()", ...asked },
  ]);
  expect(streamQueries(streams, { by: "host", percentiles: [50, 99.9] })[0]).toEqual({
    id: "0",
    metric: "a",
    ...asked,
    group_by: ["host"],
  });
});
