import { expect, test } from "vitest";
import type { Line } from "./data";
import { readout } from "./readoutRows";

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
