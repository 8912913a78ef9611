import { describe, expect, test } from "vitest";
import * as f from "./format";

const who = { locale: "en-GB", zone: "Europe/Berlin" };
const t = (s: string) => s.replaceAll("\u00a0", " ").replaceAll("\u2212", "-");

describe("numbers", () => {
  test.each([
    [1525.4, "1,525"],
    [0.4213, "0.421"],
    [42.61, "42.6"],
    [9999.4, "9,999"],
    [18240, "18.2 k"],
    [5_712_345, "5.71 M"],
    [-0.104, "-0.104"],
    [0, "0"],
    [Number.NaN, "–"],
    [0.0000123, "1.23E-5"],
    [999_999, "1 M"],
    [999e12, "999 T"],
    [1.7e100, "1.7E100"],
    [-1.7e100, "-1.7E100"],
  ])("%d is %s", (v, want) => expect(t(f.number(v, who))).toBe(want));

  test.each([
    [312, "ms", "312 ms"],
    [0.42, "%", "0.42 %"],
    [1525, "/s", "1,525/s"],
    [86, "/min", "86/min"],
    [18240, "B", "18.2 kB"],
    [18240, "bytes", "18.2 kB"],
    [2_400_000, "B/s", "2.4 MB/s"],
    [25_000, "/s", "25 k/s"],
    [25_000, "req", "25 k req"],
    [7, "", "7"],
  ])("%d %s is %s", (v, unit, want) => expect(t(f.value(v, unit, who))).toBe(want));

  test.each([
    [5000, "jobs", "5,000 jobs"],
    [1234.5, "", "1,234.5"],
    [12_345, "/s", "12,345/s"],
    [15_000, "jobs", "15 k jobs"],
    [99.95, "%", "99.95 %"],
    [1.23456e100, "ms", "1.23456E100 ms"],
    [2_000_000_000, "B", "2 GB"],
    [2_147_483_648, "B", "2,147,483,648 B"],
    [0.1, "", "0.1"],
    [-40, "°C", "-40 °C"],
  ])("%d %s as somebody chose it is %s", (v, unit, want) => expect(t(f.chosen(v, unit, who))).toBe(want));

  test("the viewer's locale decides on separators", () =>
    expect(f.number(1525.4, { ...who, locale: "de-DE" })).toBe("1.525"));
  test("differences carry their sign", () => {
    expect(t(f.signed(4, "%", who))).toBe("+4 %");
    expect(t(f.signed(-0.1, "", who))).toBe("-0.1");
  });
  test("one stream, two streams", () => {
    expect(f.count(1, "stream", "streams", who)).toBe("1 stream");
    expect(f.count(1846, "metric", "metrics", who)).toBe("1,846 metrics");
  });
});

describe("times", () => {
  const now = Date.UTC(2026, 10, 15, 13, 32) / 1000; // 14:32 in Berlin, a Sunday
  test.each([
    [12, "12 s ago"],
    [41 * 60, "41 min ago"],
    [2 * 3600 + 100, "2 h ago"],
    [11.5 * 3600, "today, 03:02"],
    [19 * 3600, "yesterday, 19:32"],
    [3 * 86400, "Thu 12 Nov"],
    [285 * 86400, "3 Feb 2026"],
  ])("%d s ago", (s, want) => expect(f.ago(now - s, now, who)).toBe(want));

  test("a time a moment ahead is no wonder: clocks differ", () => expect(f.ago(now + 2, now, who)).toBe("just now"));
  test("starts in lists", () => {
    expect(f.moment(now - 1440, now, who)).toBe("Today 14:08");
    expect(f.moment(now - 3 * 86400, now, who)).toBe("Thu 12 Nov 14:32");
  });
  test.each([
    [18 * 60, "18 min"],
    [2 * 3600 + 240, "2 h 4 min"],
    [3 * 3600, "3 h"],
    [45, "45 s"],
    [86400, "1 day"],
    [86400 * 3 + 7200, "3 days 2 h"],
    [86400 * 94, "94 days"],
  ])("%d s last", (s, want) => expect(f.duration(s)).toBe(want));
  test("steps", () =>
    expect([1, 10, 60, 900, 3600, 86400].map(f.step)).toEqual(["1 s", "10 s", "1 min", "15 min", "1 h", "1 d"]));
});

test("values that lie close together have the digits that tell them apart", () => {
  expect(f.among(100_000.01, 0.04, "ms", who)).toBe("100,000.01\u00a0ms");
  expect(f.among(100_000.01, 50_000, "ms", who)).toBe("100\u00a0k\u00a0ms");
  expect(f.among(1_234_567, 300, "/s", who)).toBe("1,234,570/s");
  expect(f.among(566_157_312, 4096, "B", who)).toBe("566.15731\u00a0MB");
  expect(f.among(2_500_100, 20, "bytes/s", who)).toBe("2.5001\u00a0MB/s");
  expect(f.among(42, 0, "", who)).toBe("42");
  expect(f.among(null, 1, "", who)).toBe("–");
});
