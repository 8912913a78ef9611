import { describe, expect, it } from "vitest";
import { beginsWords, brushOf, brushText, changeWords, exploreOf, queriesOf, withQueries } from "./explore";

describe("queries in the address", () => {
  const a = { metric: "latency", "tag.host": "web", group: "region" };
  const b = { q: 's("errors","*")', hidden: "1" };
  it("come back as they were", () => {
    const search = withQueries({ from: "-6h", brush: "1-2" }, [a, b]);
    expect(search).toEqual({ from: "-6h", brush: "1-2", ...a, "b.q": b.q, "b.hidden": "1" });
    expect(queriesOf(search)).toEqual([a, b]);
  });
  it("move up when one goes", () => {
    expect(withQueries(withQueries({}, [a, b]), [b])).toEqual(b);
  });
  it("have times of their own but for the first", () => {
    const timed = { ...a, from: "-1h" };
    expect(withQueries({ from: "-6h" }, [timed, timed])).toEqual({
      from: "-6h",
      ...a,
      "b.metric": "latency",
      "b.tag.host": "web",
      "b.group": "region",
      "b.from": "-1h",
    });
  });
  it("are the streams of a chart, with all they have", () => {
    const streams = [
      { metric: "latency", tags: [{ name: "host", dynamic: true }], summary_function: "p99", units_short: "ms" },
      { composite: 's("x","*")', type: "composite" },
      { metric: "hidden", hidden: true },
    ];
    expect(exploreOf(streams as never, [{ name: "host", values: ["web"], not: false }])).toEqual({
      metric: "latency",
      "tag.host": "web",
      summary: "p99",
      lines: "mean",
      unit: "ms",
      "b.q": 's("x","*")',
    });
  });
});

describe("a brush", () => {
  it("is two times", () => {
    expect(brushOf(brushText({ start: 1_700_000_000.4, end: 1_700_000_600 }))).toEqual({
      start: 1_700_000_000,
      end: 1_700_000_600,
    });
    for (const text of [undefined, "", "1-2", "1700000600-1700000000", "x"]) expect(brushOf(text)).toBeUndefined();
  });
});

describe("words", () => {
  it("of a change", () => {
    expect(changeWords(0.3, 41)).toBe("× 137");
    expect(changeWords(1, 8.5)).toBe("× 8.5");
    expect(changeWords(31, 17)).toBe("−45 %");
    expect(changeWords(100, 150)).toBe("+50 %");
    expect(changeWords(0, 4)).toBe("up");
    expect(changeWords(3, -4)).toBe("down");
    expect(changeWords(null, 4)).toBe("new");
    expect(changeWords(4, null)).toBe("stopped");
  });
  it("of a beginning", () => {
    const words = (s: number) => `${s / 60} min`;
    expect(beginsWords(0, 60, words)).toBe("with it");
    expect(beginsWords(-120, 60, words)).toBe("2 min before");
    expect(beginsWords(180, 60, words)).toBe("3 min after");
  });
});
