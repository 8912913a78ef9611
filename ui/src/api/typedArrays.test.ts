import { expect, test } from "vitest";
import { compact, withTimes } from "./typedArrays";

test("times and values become numbers in buffers, the rest stays", () => {
  const buffers: ArrayBuffer[] = [];
  const series = [{ metric: "m", tags: { h: "a" }, times: [1, 2], values: [0.5, 7] }];
  const out = compact({ resolution: 60, results: [{ id: "0", series, streams: 3 }] }, buffers);
  expect(out).toEqual({
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
  expect(buffers).toHaveLength(2);
});

test("lines without times have those of the line before, in the same buffer", () => {
  const line = (values: number[], times?: number[]) => ({ tags: {}, values, ...(times && { times }) });
  const results = [
    { id: "0", series: [line([5, 6], [1, 2]), line([7, 8]), line([9], [3])], streams: 3 },
    { id: "1", series: [line([4, 4], [1, 2])], streams: 1 },
  ];
  const times = withTimes(results).map((r) => r.series.map((s) => s.times));
  expect(times).toEqual([[[1, 2], [1, 2], [3]], [[1, 2]]]);
  const buffers: ArrayBuffer[] = [];
  const [first] = compact({ resolution: 60, results }, buffers).results;
  expect(first?.series[1]?.times).toBe(first?.series[0]?.times);
  expect(buffers).toHaveLength(3 + 4);
});
