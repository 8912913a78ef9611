import { expect, test } from "vitest";
import type { Line } from "./data";
import { readout, sentence } from "./readout";

const line = (key: string, v: number | null): Line => ({
  key,
  label: key,
  mono: false,
  unit: "ms",
  axis: 0,
  paint: { slot: 0 },
  stream: 0,
  tags: {},
  values: [v],
});

test("highest first, at most ten, and the nearest is always among them", () => {
  const all = Array.from({ length: 14 }, (_, i) => line(`l${i}`, i));
  const { rows, more } = readout(all, 0, "l1");
  expect(rows).toHaveLength(10);
  expect(more).toBe(4);
  expect(rows[0]?.value).toBe(13);
  expect(rows[9]?.line.key).toBe("l1");
});

test("lines without a value there are left out", () => {
  expect(readout([line("a", null), line("b", 2)], 0, undefined).rows.map((r) => r.line.key)).toEqual(["b"]);
});

test("a chart in a sentence", () => {
  const who = { locale: "en-GB", zone: "UTC" };
  const w = { start: 39_600, end: 43_200, step: 60 };
  const p99 = { ...line("p99", 463), values: [300, 463, null, 328] };
  expect(sentence("Latency", [p99], "Last 6 hours", w, who).replaceAll("\u00a0", " ")).toBe(
    "Latency, 1 stream, last 6 hours, p99 now 328 ms, highest 463 ms at 11:01",
  );
  expect(sentence("Latency", [], "Last hour", w, who)).toBe("Latency, no data, last hour");
});
