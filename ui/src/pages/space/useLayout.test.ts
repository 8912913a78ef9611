import { expect, test } from "vitest";
import { changedBy } from "./useLayout";

const box = { chart: 1, col: 0, row: 0, width: 6, height: 5 };
const seen = { layout: [box], default_tags: [], annotations: [], updated_at: 100, updated_by: "a@example.org" };

test("whether somebody else changed a layout", () => {
  expect(changedBy(undefined, seen)).toBeUndefined();
  expect(changedBy(seen, seen)).toBeUndefined();
  expect(changedBy(seen, { ...seen, updated_at: 101, updated_by: "b@example.org" })).toBe("b@example.org");
  // In the same second only the boxes tell.
  expect(changedBy(seen, { ...seen, layout: [{ ...box, width: 8 }], updated_by: "b@example.org" })).toBe(
    "b@example.org",
  );
  expect(changedBy(seen, { ...seen, updated_at: 101, updated_by: "" })).toBe("somebody");
});
