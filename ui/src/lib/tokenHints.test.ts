import { expect, test } from "vitest";
import { agentName, tokenHint } from "./tokenHints";

const now = 1_800_000_000;
const day = 86_400;
const fresh = { created_at: now - day, last_used_at: now - 60, expires_at: 0, old_until: 0, active: true };

test.each([
  ["in use", {}, undefined],
  ["new and unused", { last_used_at: 0 }, undefined],
  ["never used after a week", { last_used_at: 0, created_at: now - 8 * day }, "Never used"],
  ["long unused", { last_used_at: now - 94 * day }, "Unused for 94 days"],
  ["long unused, but Inactive", { last_used_at: now - 94 * day, active: false }, undefined],
  ["expires soon", { expires_at: now + 6 * day }, "Expires in 6 days"],
  ["expires tomorrow", { expires_at: now + 3600 }, "Expires in 1 day"],
  ["expires later", { expires_at: now + 30 * day }, undefined],
  ["expired", { expires_at: now - 1 }, "Expired"],
])("%s", (_, change, want) => {
  expect(tokenHint({ ...fresh, ...change }, now)).toBe(want);
});

test("a rotation that overlaps says until when", () => {
  expect(tokenHint({ ...fresh, old_until: now + day }, now)).toMatch(/^Old value works until /);
});

test("agents by their first word", () => {
  expect(agentName("telegraf/1.34 (linux)")).toBe("telegraf");
  expect(agentName("curl/8.9")).toBe("curl");
  expect(agentName("")).toBe("");
});
