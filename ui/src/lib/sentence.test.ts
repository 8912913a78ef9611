import { expect, test } from "vitest";
import type { Words } from "../api/types";
import { inWords } from "./sentence";

const who = { locale: "en-GB", zone: "UTC" };
const words: Words = [
  { kind: "metric", text: "jobs.queued" },
  { kind: "words", text: " max " },
  { kind: "verb", text: "above" },
  { kind: "words", text: " " },
  { kind: "quantity", text: "5000.5 jobs", value: 5000.5, unit: "jobs" },
  { kind: "words", text: " for 5 min, and " },
  { kind: "metric", text: "beat" },
  { kind: "words", text: " " },
  { kind: "verb", text: "absent" },
];
const plain = (s: string) => s.replaceAll("\u00a0", " ");

test("the server's words, the viewer's digits", () => {
  expect(plain(inWords(words, false, who))).toBe("jobs.queued max above 5,000.5 jobs for 5 min, and beat absent");
  expect(plain(inWords(words, false, { ...who, locale: "de-DE" }))).toContain("above 5.000,5 jobs");
});

test("what has been", () =>
  expect(plain(inWords(words, true, who))).toBe(
    "jobs.queued max was above 5,000.5 jobs for 5 min, and beat was absent",
  ));
