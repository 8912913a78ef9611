import { expect, test } from "vitest";
import { pushZoom, settle } from "./zoom";

const a = { from: "-6h", to: "" };
const b = { from: "100", to: "200" };
const c = { from: "120", to: "150" };

test("zooms stack up, and Back unwinds them", () => {
  const stack = pushZoom(pushZoom([], a), b);
  expect(stack).toEqual([a, b]);
  expect(settle(stack, c)).toEqual([a, b]);
  expect(settle(stack, b)).toEqual([a]);
  expect(settle(stack, a)).toEqual([]);
});

test("the stack is bounded", () => {
  let stack = pushZoom([], a);
  for (let i = 0; i < 50; i++) stack = pushZoom(stack, { from: String(i), to: "" });
  expect(stack).toHaveLength(20);
});
