import { expect, test } from "vitest";
import { sendSnippets, snippets } from "./snippets";

const terraform = (list: { id: string; code: string }[]) => list.find((s) => s.id === "terraform")?.code;

test("what agents speak today is offered before what needs a library", () => {
  const all = sendSnippets("https://t.example.org", "tmk_x");
  expect(all.map((s) => s.label)).toEqual([
    ...["curl", "OpenTelemetry", "Prometheus", "telegraf", "statsd", "collectd"],
    ...["Ruby", "Python", "Go", "Terraform", "Other"],
  ]);
  expect(all.every((s) => s.code.includes("t.example.org"))).toBe(true);
});

test("Terraform is not given a token that may only record", () => {
  for (const list of [snippets("https://t.example.org", "tmk_x"), sendSnippets("https://t.example.org", "tmk_x")]) {
    expect(terraform(list)).not.toContain("tmk_x");
    expect(terraform(list)).toContain("Full Access");
    expect(list.filter((s) => s.id !== "terraform").every((s) => s.code.includes("tmk_x"))).toBe(true);
  }
  expect(terraform(snippets("https://t.example.org", "tmk_x", true))).toContain('APPOPTICS_TOKEN="tmk_x"');
});
