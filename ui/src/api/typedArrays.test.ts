import { expect, test } from "vitest";
import { compact, textOf, withTimes } from "./typedArrays";

test("times and values become numbers in one buffer, the rest stays", () => {
  const series = [{ metric: "m", tags: { h: "a" }, times: [1, 2], values: [0.5, 7] }];
  const { answer, buffer } = compact({ resolution: 60, results: [{ id: "0", series, streams: 3 }] });
  expect(answer).toEqual({
    resolution: 60,
    results: [
      {
        id: "0",
        series: [
          { metric: "m", tags: { h: "a" }, times: new Float64Array([1, 2]), values: new Float64Array([0.5, 7]) },
        ],
        streams: 3,
      },
    ],
  });
  expect(buffer.byteLength).toBe(8 * 4);
});

test("lines without times have those of the line before", () => {
  const line = (values: number[], times?: number[]) => ({ tags: {}, values, ...(times && { times }) });
  const results = [
    { id: "0", series: [line([5, 6], [1, 2]), line([7, 8]), line([9], [3])], streams: 3 },
    { id: "1", series: [line([4, 4], [1, 2])], streams: 1 },
  ];
  const times = withTimes(results).map((r) => r.series.map((s) => s.times));
  expect(times).toEqual([[[1, 2], [1, 2], [3]], [[1, 2]]]);
  const { answer, buffer } = compact({ resolution: 60, results });
  const [first, second] = answer.results;
  expect(first?.series[1]?.times).toBe(first?.series[0]?.times);
  expect(second?.series[0]?.values).toEqual(new Float64Array([4, 4]));
  expect(buffer.byteLength).toBe(8 * (5 + 7));
});

test("what comes in parts is read whole, also where a letter is cut", () => {
  const bytes = new TextEncoder().encode('{"unit":"µs"}');
  const cut = bytes.indexOf(0xb5);
  expect(cut).toBeGreaterThan(0);
  expect(textOf([bytes.slice(0, cut), bytes.slice(cut)])).toBe('{"unit":"µs"}');
  expect(textOf([])).toBe("");
});
