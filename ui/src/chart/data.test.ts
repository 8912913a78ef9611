import { describe, expect, test } from "vitest";
import type { RawSeries } from "../api/query";
import { columns, joined, readAt } from "./columns";
import { align, currentValue, differing, grouping, lastValue, lines, stats, telling, times, usualStep } from "./data";
import { merge } from "./merge";
import { newMemory, placesOf, slots } from "./slots";

const w = { start: 0, end: 300, step: 60 };
const raw = (tags: Record<string, string>, points: [number, number][]): RawSeries => ({
  tags,
  times: points.map((p) => p[0]),
  values: points.map((p) => p[1]),
});

describe("points on the grid", () => {
  const s = raw({}, [
    [0, 1],
    [60, 2],
    [240, 5],
  ]); // prettier-ignore
  test("without gap detection the line goes on", () =>
    expect(align(s, w, false)).toEqual([1, 2, undefined, undefined, 5]));
  test("with it, more than two missing periods break the line", () =>
    expect(align(s, w, true)).toEqual([1, 2, undefined, null, 5]));
  test("a slow metric is not full of gaps", () =>
    expect(align(s, w, true, 120)).toEqual([1, 2, undefined, undefined, 5]));
  test("points outside are left out", () =>
    expect(
      align(
        raw({}, [
          [-60, 9],
          [300, 9],
          [30, 3],
        ]),
        w,
        false,
      ),
    ).toEqual([3, undefined, undefined, undefined, undefined])); // prettier-ignore
});

test("of a metric whose period nobody said, gaps are evaluated by its own pace", () => {
  const slow = raw(
    {},
    [0, 60, 120, 180, 420].map((t): [number, number] => [t, t]),
  );
  expect(usualStep(slow.times)).toBe(60);
  expect(usualStep([5])).toBeUndefined();
  const fine = { start: 0, end: 480, step: 10 };
  const [line] = lines([{ metric: "m", gap_detection: true }], [{ id: "0", series: [slow] }], fine);
  expect(line?.values.flatMap((v, i) => (v === null ? [i] : []))).toEqual([41]);
});

describe("labels", () => {
  const a = raw({ host: "web-01", env: "prod" }, [[0, 1]]);
  const b = raw({ host: "web-02", env: "prod" }, [[0, 1]]);
  const c = raw({ host: "web-02", env: "test" }, [[0, 1]]);
  test("only what differs", () => {
    expect(telling(a, differing([a, b]))).toBe("web-01");
    expect(telling(c, differing([a, b, c]))).toBe("host=web-02 env=test");
    const bare = raw({ host: "web-01" }, [[0, 1]]);
    expect([a, bare].map((s) => telling(s, differing([a, bare])))).toEqual(["prod", ""]);
    expect([bare, a].map((s) => telling(s, differing([bare, a])))).toEqual(["", "prod"]);
  });
  test("a named stream of one line keeps its name; groups get their tag", () => {
    const one = lines([{ metric: "m", name: "p99" }], [{ id: "0", series: [a] }], w);
    expect(one[0]).toMatchObject({ label: "p99", mono: false });
    const many = lines([{ metric: "m" }], [{ id: "0", series: [b, a] }], w);
    expect(many.map((l) => l.label)).toEqual(["web-01", "web-02"]);
    expect(many.map((l) => l.paint)).toEqual([{ slot: 0 }, { slot: 1 }]);
  });
  test("the only stream of a metric is called by its tags", () => {
    const label = (tags: Record<string, string>, more = {}) =>
      lines([{ metric: "m", ...more }], [{ id: "0", series: [raw(tags, [[0, 1]])] }], w)[0]?.label;
    expect(label({ host: "web-01" })).toBe("web-01");
    expect(label({ env: "prod", host: "web-01" })).toBe("env=prod host=web-01");
    expect(label({})).toBe("m");
    expect(label({ host: "web-01" }, { name: "p99" })).toBe("p99");
    expect(label({ host: "web-01" }, { metric: undefined, composite: "group_by(...)" })).toBe("web-01");
  });
  test("groups of several metrics say which", () => {
    const two = lines(
      [{ metric: "m" }, { metric: "n" }],
      [
        { id: "0", series: [a, b] },
        { id: "1", series: [a, b] },
      ],
      w,
    );
    expect(two.map((l) => l.label)).toEqual(["m web-01", "m web-02", "n web-01", "n web-02"]);
  });
});

describe("colours", () => {
  const group = (v: string) => raw({ g: v }, [[0, 1]]);
  test("a vanished group keeps its place", () => {
    expect(slots(["a", "b", "c"], ["a", "c", "d"])).toEqual(["a", "b", "c", "d"]);
    const memory = newMemory();
    lines([{ metric: "m" }], [{ id: "0", series: [group("a"), group("b")] }], w, memory);
    const later = lines([{ metric: "m" }], [{ id: "0", series: [group("b")] }], w, memory);
    expect(later[0]?.paint).toEqual({ slot: 1 });
  });
  test("an answer to what was asked before takes no colour from the next one", () => {
    const memory = newMemory();
    const byHost = { metric: "m", tags: [{ name: "host", grouped: true }] };
    const byZone = { metric: "m", tags: [{ name: "zone", grouped: true }] };
    const hosts = [{ id: "0", series: ["a", "b", "c"].map(group), asked: grouping(byHost) }];
    lines([byHost], hosts, w, memory);
    // Already another draft, but still drawn with the answer to the one before.
    const kept = lines([byZone], hosts, w, memory).map((l) => l.paint);
    expect(kept).toEqual([{ slot: 0 }, { slot: 1 }, { slot: 2 }]);
    const zones = [{ id: "0", series: ["eu", "us"].map(group), asked: grouping(byZone) }];
    expect(lines([byZone], zones, w, memory).map((l) => l.paint)).toEqual([{ slot: 0 }, { slot: 1 }]);
  });

  test("the session remembers a chart, another grouping begins anew", () => {
    const places = () => ({ places: placesOf("7"), coloured: [] });
    lines([{ metric: "m" }], [{ id: "0", series: [group("a"), group("b")] }], w, places());
    expect(lines([{ metric: "m" }], [{ id: "0", series: [group("b")] }], w, places())[0]?.paint).toEqual({ slot: 1 });
    const other = { metric: "m", tags: [{ name: "g", grouped: true }] };
    // What a draft asked for before takes no colour from what it asks for now.
    const narrowed = { metric: "m", tags: [{ name: "host", values: ["b"] }] };
    expect(lines([narrowed], [{ id: "0", series: [group("b")] }], w, places())[0]?.paint).toEqual({ slot: 0 });
    expect(lines([other], [{ id: "0", series: [group("b")] }], w, places())[0]?.paint).toEqual({ slot: 0 });
  });
  test("a chosen colour is the hue of all groups", () => {
    const all = lines([{ metric: "m", color: "#6FA6F5" }], [{ id: "0", series: [group("a"), group("b")] }], w);
    expect(all.map((l) => l.paint)).toEqual([{ hex: "#6FA6F5" }, { hex: "#6FA6F5", step: 1 }]);
  });
  test("a hidden stream is not drawn, and the others keep their colours", () => {
    const all = lines(
      [{ metric: "m", hidden: true }, { metric: "n" }],
      [
        { id: "0", series: [group("a")] },
        { id: "1", series: [group("a")] },
      ],
      w,
    );
    expect(all.map((l) => [l.label, l.paint])).toEqual([["n", { slot: 1, step: 0 }]]);
  });
  test("groups of one metric beside another are steps of its hue", () => {
    const all = lines(
      [{ metric: "m" }, { metric: "n" }],
      [
        { id: "0", series: [group("a"), group("b")] },
        { id: "1", series: [group("a")] },
      ],
      w,
    );
    expect(all.map((l) => l.paint)).toEqual([
      { slot: 0, step: 0 },
      { slot: 0, step: 1 },
      { slot: 1, step: 0 },
    ]);
  });
  test("of more than 24 the eight highest keep a colour", () => {
    const series = Array.from({ length: 30 }, (_, i) => raw({ g: String(i).padStart(2, "0") }, [[0, i]]));
    const all = lines([{ metric: "m" }], [{ id: "0", series }], w);
    expect(all.filter((l) => !l.muted).map((l) => l.values[0])).toEqual([22, 23, 24, 25, 26, 27, 28, 29]);
    const memory = newMemory();
    const coloured = (of: typeof series) =>
      lines([{ metric: "m" }], [{ id: "0", series: of }], w, memory).flatMap((l) =>
        l.muted ? [] : [[l.label, l.paint]],
      );
    const before = coloured(series);
    // Other values later: what is coloured stays.
    expect(coloured(series.map((x, i) => ({ ...x, values: [100 - i] })))).toEqual(before);
  });
});

test("stacking adds up; what is missing counts nothing inside the stack", () => {
  const all = lines(
    [{ metric: "m" }],
    [
      {
        id: "0",
        series: [
          raw({ g: "a" }, [
            [0, 1],
            [60, 2],
          ]),
          raw({ g: "b" }, [
            [60, 3],
            [120, 4],
          ]),
        ],
      },
    ], // prettier-ignore
    w,
  );
  const [xs, a, b] = columns(all, w, true, false);
  expect(xs).toEqual(times(w));
  expect(a).toEqual([1, 2, 0, null, null]);
  expect(b).toEqual([1, 5, 4, null, null]);
});

test("in a stack lines that are joined are there between their samples", () => {
  expect(joined([undefined, 1, undefined, undefined, 4, null, 2, undefined])).toEqual([
    undefined,
    1,
    2,
    3,
    4,
    null,
    2,
    undefined,
  ]);
});

test("the crosshair reads the sample that is nearest on the line", () => {
  const values = [undefined, 1, undefined, undefined, 4, null, undefined, 2];
  expect(values.map((_, i) => readAt(values, i))).toEqual([-1, 1, 1, 4, 4, -1, -1, 7]);
});

test("the bucket being filled is left to be drawn apart", () => {
  const all = lines(
    [{ metric: "m" }],
    [
      {
        id: "0",
        series: [
          raw({}, [
            [180, 1],
            [240, 2],
          ]),
        ],
      },
    ],
    w,
  ); // prettier-ignore
  expect(columns(all, w, false, true)[1]).toEqual([undefined, undefined, undefined, 1, null]);
  expect(lastValue(all[0]?.values ?? [], true)).toBe(1);
  expect(lastValue(all[0]?.values ?? [])).toBe(2);
});

test("a first value is drawn though its bucket is being filled", () => {
  const all = lines([{ metric: "m" }], [{ id: "0", series: [raw({}, [[240, 42]])] }], { start: 0, end: 300, step: 60 });
  expect(columns(all, { start: 0, end: 300, step: 60 }, false, true)[1]?.[4]).toBe(42);
});

test("transforms know the period", () => {
  const all = lines([{ metric: "m", transform_function: "x/p" }], [{ id: "0", series: [raw({}, [[0, 120]])] }], w);
  expect(all[0]?.values[0]).toBe(2);
});

test("fresh points replace the end and old ones fall out", () => {
  const old = [
    {
      id: "0",
      series: [
        raw({ h: "a" }, [
          [0, 1],
          [60, 2],
          [120, 3],
        ]),
      ],
    },
  ]; // prettier-ignore
  const fresh = [
    {
      id: "0",
      series: [
        raw({ h: "a" }, [
          [120, 4],
          [180, 5],
        ]),
        raw({ h: "b" }, [[180, 7]]),
      ],
    },
  ]; // prettier-ignore
  const out = merge(old, fresh, { start: 60, end: 240, step: 60 }, 120);
  expect(out[0]?.series).toEqual([
    raw({ h: "a" }, [
      [60, 2],
      [120, 4],
      [180, 5],
    ]),
    raw({ h: "b" }, [[180, 7]]),
  ]); // prettier-ignore
});

test("the typed arrays of a large answer stay such", () => {
  const big = (times: number[]) => ({
    tags: {},
    times: Float64Array.from(times),
    values: Float64Array.from(times, (t) => t / 60),
  });
  const [out] = merge(
    [{ id: "0", series: [big([0, 60, 120])] }],
    [{ id: "0", series: [raw({}, [[120, 9]])] }],
    { start: 60, end: 240, step: 60 },
    120,
  );
  expect(out?.series[0]?.times).toEqual(Float64Array.from([60, 120]));
  expect(out?.series[0]?.values).toEqual(Float64Array.from([1, 9]));
});

test("a stream that stopped stays while it is in the window", () => {
  const old = [
    {
      id: "0",
      series: [
        raw({ h: "a" }, [
          [0, 1],
          [60, 2],
        ]),
      ],
    },
  ]; // prettier-ignore
  const out = merge(old, [{ id: "0", series: [] }], { start: 60, end: 240, step: 60 }, 180);
  expect(out[0]?.series[0]?.times).toEqual([60]);
});

test("ranges of a distribution stay apart", () => {
  const range = (low: number, at: number) => ({ ...raw({}, [[at, 1]]), low, high: low + 1 });
  const [out] = merge(
    [{ id: "0", series: [range(1, 60), range(2, 60)] }],
    [{ id: "0", series: [range(2, 120)] }],
    { start: 60, end: 180, step: 60 },
    120,
  );
  expect(out?.series.map((s) => [s.low, s.times])).toEqual([
    [1, [60]],
    [2, [60, 120]],
  ]);
});

test("stats", () => {
  expect(stats([1, null, undefined, 3])).toEqual({ last: 3, min: 1, max: 3, mean: 2, sum: 4 });
  expect(stats([null]).mean).toBeNull();
});

test("a line that fell silent has no value now", () => {
  const [v, _] = [1, undefined];
  expect(currentValue([v, v, v, v])).toBe(1);
  expect(currentValue([v, _, v, _, v, _, _])).toBe(1); // every other time, and that is not over yet
  expect(currentValue([v, v, v, _, _, _, _, _])).toBeNull();
  expect(currentValue([v, v, v, null, null, null, null, null])).toBeNull();
  expect(currentValue([_, v, _, _, _, _, _, _])).toBe(1); // once: nobody knows how often it comes
  expect(currentValue([v, v, v, v, _], true)).toBe(1);
  expect(currentValue([_, _])).toBeNull();
});
