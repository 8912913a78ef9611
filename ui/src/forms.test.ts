import { expect, test } from "vitest";
import { attribute, sources, tags } from "./testing/tags";

/** The tags of this name that something is wrong with, by their file. */
const wrong = (name: string, isWrong: (tag: string) => boolean) =>
  sources.flatMap(({ file, text }) =>
    tags(text, name)
      .filter(isWrong)
      .map((tag) => `${file}: ${attribute(tag, "disabled") ?? tag}`),
  );

test("forms say what is wrong at their fields: the browser's own bubbles are off", () => {
  expect(sources.flatMap(({ text }) => tags(text, "form")).length).toBeGreaterThan(30);
  expect(wrong("form", (tag) => !/\bnoValidate\b/.test(tag))).toEqual([]);
});

// A question of length or emptiness, or the text itself: `name.trim() === ""`, `!password`, `services.length === 0`.
const asksForText = /=== ""|\.trim\(\)|!(password|name|text|code|title)\b|\.length (===|!==|<) \d/;

test("what sends a form can always be pressed, so that the form can say what is missing", () => {
  const sends = (tag: string) => /^<FormDialog|type="submit"/.test(tag);
  expect(
    wrong("(?:Button|FormDialog)", (tag) => sends(tag) && asksForText.test(attribute(tag, "disabled") ?? "")),
  ).toEqual([]);
});
