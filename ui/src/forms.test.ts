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

const fields =
  "(?:Field|TextField|TextArea|Switch|SelectRow|TextRow|NumberRow|LabelField|TagField|TimeField|MomentField|CodeField|WordsField)";
// What needs no more than its label, or has its explanation beside it: in a list, a table, a sentence or a row of tools.
const evident = [
  "label", // passed on by what writes several
  ...["Name", "E-mail", "Password", "From", "To", "Last day"],
  ...["Role", "Active", "Members need a second factor", "Alerts may name metrics that do not exist yet"],
  ...["without maintenance", "Only differing tags", "Every stream"],
];

test("fields and switches say what they mean", () => {
  const label = (tag: string) => tag.match(/ label="([^"]*)"/)?.[1] ?? attribute(tag, "label") ?? "";
  const silent = sources.flatMap(({ file, text }) =>
    tags(text, fields)
      .filter((tag) => !/\bhint[=:]/.test(tag) && !/ hideLabel\b|^<Field \{\.\.\.field\}/.test(tag))
      .map(label)
      .filter((l) => !evident.includes(l) && !/^\s*<>\s*Type /.test(l))
      .map((l) => `${file}: ${l}`),
  );
  expect(silent).toEqual([]);
});
