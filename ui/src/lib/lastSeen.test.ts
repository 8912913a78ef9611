import { expect, test } from "vitest";
import { lastSeen } from "./lastSeen";

const seen = [
  { tags: { host: "web-01", region: "eu" }, last_seen: 100 },
  { tags: { host: "web-02", region: "us" }, last_seen: 300 },
  { tags: { host: "db-01", region: "eu" }, last_seen: 200 },
  { tags: { host: "db-02" }, last_seen: null },
];

test("when what a chart asks for was last there", () => {
  expect(lastSeen({ metric: "m" }, [], seen)).toBe(300);
  expect(lastSeen({ metric: "m", tags: [{ name: "region", values: ["eu"] }] }, [], seen)).toBe(200);
  expect(lastSeen({ metric: "m", tags: [{ name: "host", values: ["web-*"] }] }, [], seen)).toBe(300);
  expect(lastSeen({ metric: "m", tags: [{ name: "host", values: ["!web-02"] }] }, [], seen)).toBe(200);
  expect(lastSeen({ metric: "m", tags: [{ name: "host", values: ["mail"] }] }, [], seen)).toBe(0);
  expect(lastSeen({ metric: "m" }, [], [])).toBe(0);
});

test("the page's filter counts where the chart follows it", () => {
  const us = [{ name: "region", values: ["us"], grouped: false }];
  expect(lastSeen({ metric: "m", tags: [{ name: "region", dynamic: true }] }, us, seen)).toBe(300);
  expect(
    lastSeen(
      {
        metric: "m",
        tags: [
          { name: "region", dynamic: true },
          { name: "host", values: ["db-*"] },
        ],
      },
      [{ name: "region", values: ["eu"], grouped: false }],
      seen,
    ),
  ).toBe(200);
  expect(lastSeen({ metric: "m", tags: [{ name: "region", dynamic: true }] }, [], seen)).toBe(300);
});
