import { expect, test } from "vitest";
import { nameIn, sameText, tagOf, toggled } from "./tagOf";

test("tags are the same in any case, and keep the spelling they have", () => {
  expect(sameText("Host", "host")).toBe(true);
  expect(nameIn(["region", "host"], "Host")).toBe("host");
  expect(nameIn(["region"], "Host")).toBe("Host");
  expect(tagOf({ Host: "Web1" }, "host")).toBe("Web1");
  expect(tagOf({ Host: "Web1" }, "rack")).toBeUndefined();
  expect(toggled(["web1"], "Web1")).toEqual([]);
  expect(toggled(["web2"], "Web1")).toEqual(["web2", "Web1"]);
});
