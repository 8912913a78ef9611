import { expect, test } from "vitest";
import type { SenderGroup, TokenPreview } from "../../../api/ui.gen";
import { fate, leftOut, matchNow, whoSends } from "./preview";

const group = (g: Partial<SenderGroup>): SenderGroup => ({
  names: ["web-01"],
  count: 1,
  values: 38_000,
  refused: 0,
  reasons: [],
  ...g,
});

test("senders by their names", () => {
  expect(whoSends(group({ names: ["web-01", "web-02", "web-03"], count: 3 }))).toBe("web-01 … web-03");
  expect(whoSends(group({ names: ["", "web-01"], count: 2 }))).toBe("web-01, some without a host");
  expect(whoSends(group({ names: [""] }))).toBe("Without a host");
  expect(whoSends(group({ names: ["a", "b", "c"], count: 3 }))).toBe("a, b, …");
  expect(whoSends(group({ names: ["web-01"], count: 200 }))).toBe("web-01, …");
});

test("what would happen to them", () => {
  expect(fate(group({}))).toBe("all of it");
  const queue = { kind: "metric", what: "queue.*", values: 3000 } as const;
  expect(fate(group({ refused: 3000, reasons: [queue] }))).toBe("queue.* refused, 3,000 of it");
  expect(fate(group({ refused: 38_000, reasons: [queue] }))).toBe("queue.* refused");
  expect(fate(group({ refused: 38_000, reasons: [{ kind: "tag", what: "site", values: 1 }] }))).toBe(
    "another site, or none",
  );
  const away = { kind: "network", what: "10.9.0.1", values: 1 } as const;
  expect(fate(group({ refused: 38_000, reasons: [away] }))).toBe("other network: 10.9.0.1");
  expect(fate(group({ refused: 38_000, count: 2, reasons: [away] }))).toBe("other network");
  const unknown = { kind: "unknown_network", what: "", values: 0 } as const;
  expect(fate(group({ reasons: [unknown] }))).toBe("address not known");
  expect(fate(group({ refused: 3000, reasons: [unknown, queue, { ...queue, what: "mail.*" }] }))).toBe(
    "queue.*, mail.* refused, 3,000 of it; address not known",
  );
});

test("what could not be told", () => {
  const all: TokenPreview = {
    address: "10.0.0.1",
    inside: true,
    metrics: 0,
    senders: [],
    more: 0,
    streams: 50_000,
    complete: true,
  };
  expect(leftOut(all)).toBeUndefined();
  expect(leftOut({ ...all, more: 1 })).toBe("And 1 more group of senders.");
  expect(leftOut({ ...all, complete: false })).toMatch(/^There is more than is checked at once: these are 50/);
  expect(matchNow(14)).toBe("14 metrics match now; new ones that match are allowed too.");
  expect(matchNow(1)).toBe("1 metric matches now; new ones that match are allowed too.");
  expect(matchNow(0)).toBe("No metric matches now; new ones that match are allowed too.");
});
