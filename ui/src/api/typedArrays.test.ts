import { expect, test } from "vitest";
import { compact, withTimes } from "./typedArrays";

test("times and values become numbers in one buffer, the rest stays", () => {
  const series = [{ metric: "m", tags: { h: "a" }, times: [1, 2], values: [0.5, 7] }];
  const { result, buffer } = compact({ id: "0", series, streams: 3 });
  expect(result).toEqual({
    id: "0",
    series: [{ metric: "m", tags: { h: "a" }, times: new Float64Array([1, 2]), values: new Float64Array([0.5, 7]) }],
    streams: 3,
  });
  expect(buffer.byteLength).toBe(8 * 4);
});

test("lines without times have those of the line before", () => {
  const line = (values: number[], times?: number[]) => ({ tags: {}, values, ...(times && { times }) });
  const given = { id: "0", series: [line([5, 6], [1, 2]), line([7, 8]), line([9], [3])], streams: 3 };
  expect(withTimes(given).series.map((s) => s.times)).toEqual([[1, 2], [1, 2], [3]]);
  const { result, buffer } = compact(given);
  const [first, second, third] = result.series;
  expect(second?.times).toBe(first?.times);
  expect(third?.values).toEqual(new Float64Array([9]));
  expect(buffer.byteLength).toBe(8 * (3 + 5));
});
