import { expect, test } from "vitest";
import type { RawSeries, Result } from "../api/query";
import type { Stream } from "../api/types";
import { isOneOfMany, named, withoutBand } from "./band";
import { lines } from "./data";
import { summarizeOf } from "./kind";
import { merge } from "./merge";
import { newMemory } from "./slots";
import { sentence } from "./spoken";

const w = { start: 0, end: 180, step: 60 };
const at = [0, 60, 120];
const part = (summary: string, values: number[]): RawSeries => ({ tags: {}, times: at, values, summary });
const stream = (host: string, values: number[]): RawSeries => ({
  metric: "cpu",
  tags: { host, zone: "eu" },
  times: at,
  values,
});
const result = (...apart: RawSeries[]): Result => ({
  id: "0",
  series: [
    part("low", [0, 1, 2]),
    part("p10", [10, 11, 12]),
    part("median", [20, 21, 22]),
    part("p90", [30, 31, 32]),
    part("high", [90, 91, 92]),
    ...apart,
  ],
  streams: 12345,
});
const cpu: Stream = { metric: "cpu", group_function: "breakout", units_short: "%" };

test("many streams are a band, its median over it, and those apart over all", () => {
  const all = lines([cpu], [result(stream("b", [1, 2, 3]), stream("a", [90, 91, 92]))], w);
  expect(all.map((l) => l.label)).toEqual([
    "highest",
    "lowest",
    "90th percentile",
    "10th percentile",
    "median of 12,345 streams",
    "a",
    "b",
  ]);
  expect(all.map((l) => l.muted ?? false)).toEqual([true, true, true, true, false, false, false]);
  const tinted = all.filter((l) => l.bandTo);
  expect(tinted.map((l) => [l.label, all.find((o) => o.key === l.bandTo)?.label])).toEqual([
    ["90th percentile", "10th percentile"],
  ]);
  expect(new Set(all.map((l) => l.key)).size).toBe(7);
  expect(all[2]?.values).toEqual([30, 31, 32]);
  expect(all.every((l) => l.unit === "%")).toBe(true);
});

test("those apart have colours of their own, the band has none", () => {
  const all = lines([cpu], [result(stream("a", [1, 2, 3]), stream("b", [90, 91, 92]))], w);
  expect(all.map((l) => l.paint)).toEqual([...Array(5).fill({ slot: 7 }), { slot: 0, step: undefined }, { slot: 1 }]);
});

test("those apart keep their colours when every stream was drawn meanwhile", () => {
  const memory = newMemory();
  const apart = [result(stream("y", [1, 2, 3]), stream("z", [90, 91, 92]))];
  const before = lines([cpu], apart, w, memory);
  const every = Array.from({ length: 20 }, (_, i) => stream(`a${i}`, [1, 2, 3]));
  lines([cpu], [{ id: "0", series: every, streams: 20 }], w, memory);
  expect(lines([cpu], apart, w, memory).map((l) => [l.paint, l.dash])).toEqual(before.map((l) => [l.paint, l.dash]));
});

test("a line of a band is not coloured where the pointer is, one of too many is", () => {
  const [high] = lines([cpu], [result()], w);
  const crowd = Array.from({ length: 30 }, (_, i) => stream(`a${i}`, [i, i, i]));
  const [low] = lines([cpu], [{ id: "0", series: crowd, streams: 30 }], w);
  expect([high, low, undefined].map(isOneOfMany)).toEqual([false, true, false]);
});

test("a legend has the median for the band, a table has streams only", () => {
  const all = lines([cpu], [result(stream("a", [90, 91, 92]))], w);
  expect(named(all).map((l) => l.label)).toEqual(["median of 12,345 streams", "host=a zone=eu"]);
  expect(withoutBand(all).map((l) => l.tags)).toEqual([{ host: "a", zone: "eu" }]);
});

test("bands beside each other say whose they are, and are never too many lines", () => {
  const some: Stream[] = [cpu, { ...cpu, metric: "mem" }, { ...cpu, metric: "disk" }, { ...cpu, name: "Net" }];
  const results = some.map((_, i) => ({ ...result(stream("a", [1, 2, 3]), stream("b", [1, 2, 3])), id: String(i) }));
  const all = lines(some, results, w);
  expect(all.filter((l) => l.summary === "median").map((l) => l.label)).toEqual(
    ["cpu", "mem", "disk", "Net"].map((name) => `${name} median of 12,345 streams`),
  );
  expect(new Set(all.map((l) => l.key)).size).toBe(28);
  expect(withoutBand(all).some((l) => l.muted)).toBe(false);
});

test("who does not see it hears of the median and those apart", () => {
  const who = { locale: "en-US", zone: "UTC" } as never;
  const said = sentence("CPU", lines([cpu], [result(stream("a", [90, 91, 92]))], w), "Last hour", w, who);
  expect(said).toMatch(/^CPU, last hour, median of 12,345 streams now 22.*, host=a zone=eu now 92.*, highest 92/);
});

test("what is apart is so in all the time that was asked for: a new answer is all there is", () => {
  const fresh = result(stream("b", [4, 5, 6]));
  const [out] = merge([result(stream("a", [1, 2, 3]))], [fresh], w, w.start);
  expect(out?.series).toEqual(fresh.series);
});

test("lines are summed up, what has a row or a number for each stream is not", () => {
  expect(summarizeOf({ type: "line" })).toBe(1000);
  expect(summarizeOf({ type: "stacked" })).toBeUndefined();
  expect(summarizeOf({ type: "line", attributes: { kind: "table" } })).toBeUndefined();
  expect(summarizeOf({ type: "line", attributes: { repeat: "host" } })).toBeUndefined();
});
