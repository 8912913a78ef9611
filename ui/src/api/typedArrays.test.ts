import { expect, test } from "vitest";
import { compact } from "./typedArrays";

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
