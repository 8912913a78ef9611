import { expect, test } from "vitest";
import { sendSnippets, snippets } from "./snippets";

const terraform = (list: { id: string; code: string }[]) => list.find((s) => s.id === "terraform")?.code;

test("Terraform is not given a token that may only record", () => {
  for (const list of [snippets("https://t.example.org", "tmk_x"), sendSnippets("https://t.example.org", "tmk_x")]) {
    expect(terraform(list)).not.toContain("tmk_x");
    expect(terraform(list)).toContain("Full Access");
    expect(list.filter((s) => s.id !== "terraform").every((s) => s.code.includes("tmk_x"))).toBe(true);
  }
  expect(terraform(snippets("https://t.example.org", "tmk_x", true))).toContain('APPOPTICS_TOKEN="tmk_x"');
});
