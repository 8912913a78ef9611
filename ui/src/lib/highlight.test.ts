import { describe, expect, it } from "vitest";
import { highlight } from "./highlight";
import { snippets } from "./snippets";

describe("highlight", () => {
  it("keeps every character of every snippet", () => {
    for (const s of snippets("https://metrics.example.org", "tmk_abc", true)) {
      expect(
        highlight(s.code)
          .map((p) => p.text)
          .join(""),
      ).toBe(s.code);
    }
  });
  it("knows keys, strings and addresses apart", () => {
    expect(highlight('api_url = "https://x/v1"')).toEqual([
      { text: "api_url", kind: "key" },
      { text: " = " },
      { text: '"https://x/v1"', kind: "string" },
    ]);
    expect(highlight("curl https://x -u tmk_1:")).toEqual([
      { text: "curl", kind: "fn" },
      { text: " https://x -u " },
      { text: "tmk_1:", kind: "string" },
    ]);
  });
});

describe("snippets", () => {
  it("point every client at this server with this token", () => {
    const all = snippets("https://metrics.example.org:8443", "tmk_abc", true);
    expect(all.map((s) => s.id)).toEqual([
      ...["curl", "ruby", "python", "go", "statsd", "telegraf"],
      ...["opentelemetry", "prometheus", "collectd", "terraform"],
    ]);
    for (const s of all) {
      expect(s.code, s.id).toContain("tmk_abc");
      expect(s.code, s.id).toContain("metrics.example.org:8443");
    }
  });
});
