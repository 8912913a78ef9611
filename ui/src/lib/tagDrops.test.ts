import { expect, test } from "vitest";
import { culprit, mostValues } from "./tagDrops";

const tag = (name: string, values: number) => ({ name, values, streams: values });

test("the tag with most values comes first", () => {
  expect(mostValues([tag("b", 2), tag("a", 2), tag("session", 90)]).map((t) => t.name)).toEqual(["session", "a", "b"]);
});

test("a tag is to blame if it has many values, more than any other", () => {
  expect(culprit([tag("host", 4), tag("session", 6140)])?.name).toBe("session");
  expect(culprit([tag("host", 4), tag("zone", 3)])).toBeUndefined();
  expect(culprit([tag("host", 40), tag("pod", 40)])).toBeUndefined();
  expect(culprit([])).toBeUndefined();
});
