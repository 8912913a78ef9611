import { expect, test } from "vitest";
import type { Line } from "./data";
import { sentence } from "./spoken";

const line = (values: (number | null)[]): Line => ({
  key: "p99",
  label: "p99",
  mono: false,
  unit: "ms",
  axis: 0,
  paint: { slot: 0 },
  stream: 0,
  tags: {},
  values,
});

test("a chart in a sentence", () => {
  const who = { locale: "en-GB", zone: "UTC" };
  const w = { start: 39_600, end: 43_200, step: 60 };
  const p99 = line([300, 463, null, 328]);
  expect(sentence("Latency", [p99], "Last 6 hours", w, who).replaceAll("\u00a0", " ")).toBe(
    "Latency, 1 stream, last 6 hours, p99 now 328 ms, highest 463 ms at 11:01",
  );
  expect(sentence("Latency", [], "Last hour", w, who)).toBe("Latency, no data, last hour");
});
