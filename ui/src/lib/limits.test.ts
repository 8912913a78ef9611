import { expect, test } from "vitest";
import type { LimitUse } from "../api/ui.gen";
import { amount, command, nearness, ofOrganization, ofOthers, share, worst } from "./limits";

const limit = (name: string, use: number | null, most: number, more: Partial<LimitUse> = {}): LimitUse => ({
  name,
  title: name,
  unit: name,
  scope: "organization",
  told: "",
  limit: most,
  default: most,
  own: false,
  use,
  fixed: false,
  ...more,
});

test("near from 80 %, at it from 100 %", () => {
  expect([79, 80, 99, 100, 120].map((n) => nearness(limit("alerts", n, 100)))).toEqual([
    "quiet",
    "near",
    "near",
    "at",
    "at",
  ]);
  expect(nearness(limit("alerts", 5, 0))).toBe("quiet");
  expect(share(limit("rate", null, 100))).toBeUndefined();
});

test("what is nearest to its limit comes first, what is not counted last", () => {
  const list = [
    limit("rate", null, 9),
    limit("alerts", 1, 10),
    limit("tokens", 9, 10),
    limit("tags", 1, 2, { scope: "thing" }),
  ];
  expect(ofOrganization(list).map((l) => l.name)).toEqual(["tokens", "alerts", "rate"]);
  expect(ofOthers(list).map((l) => l.name)).toEqual(["tags"]);
  expect(worst(list)?.name).toBe("tokens");
  expect(worst([limit("alerts", 1, 10)])).toBeUndefined();
});

test("bytes have a unit", () => {
  expect(amount(limit("tag_bytes", 0, 0, { unit: "bytes of names and tags" }), 8_000_000)).toMatch(/^8\sMB$/);
  expect(amount(limit("alerts", 0, 0), 2000)).toBe("2,000");
});

test("the operator's command quotes the name", () => {
  expect(command("Ann's shop", limit("alerts", 1, 10))).toBe("tidemark org limits 'Ann'\\''s shop' alerts=20");
  expect(command("Shop", undefined)).toBe("tidemark org limits 'Shop'");
});
