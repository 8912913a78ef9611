// @vitest-environment jsdom
import { afterEach, expect, test } from "vitest";
import { clear, open } from "../testing/dom";
import { Field, Input, Switch } from "./fields";

afterEach(clear);

const named = (error?: string, hint?: string) => (
  <form noValidate>
    <Field label="Name" error={error} hint={hint}>
      {(id) => <Input id={id} />}
    </Field>
  </form>
);

/** What labels the field, and what is said with it. */
function look(box: HTMLElement) {
  const field = box.querySelector("input") as HTMLInputElement;
  const said = field.getAttribute("aria-describedby");
  return {
    label: field.labels?.[0]?.textContent,
    said: said && document.getElementById(said)?.textContent,
    invalid: field.getAttribute("aria-invalid"),
    hasFocus: document.activeElement === field,
  };
}

test("a hint is said with its field", () => {
  const { box } = open(named(undefined, "As people call it."));
  expect(look(box)).toEqual({ label: "Name", said: "As people call it.", invalid: null, hasFocus: false });
});

test("a hint is said with its switch, and is no part of its name", () => {
  const { box } = open(<Switch label="Quiet hours" hint="At night." checked={false} onChange={() => {}} />);
  expect(look(box)).toMatchObject({ label: "Quiet hours", said: "At night." });
});

test("an error takes the place of the hint and the focus, and gives the place back", () => {
  const { box, again } = open(named(undefined, "As people call it."));
  again(named("Name is missing.", "As people call it."));
  expect(look(box)).toEqual({ label: "Name", said: "Name is missing.", invalid: "true", hasFocus: true });
  again(named(undefined, "As people call it."));
  expect(look(box)).toMatchObject({ said: "As people call it.", invalid: null });
});

test("of several errors the first one takes the focus", () => {
  const { box } = open(
    <form noValidate>
      {["Title", "Stream"].map((label) => (
        <Field key={label} label={label} error={`${label} is missing.`}>
          {(id) => <Input id={id} />}
        </Field>
      ))}
    </form>,
  );
  expect(document.activeElement).toBe(box.querySelector("input"));
});

test("a label that is not shown is there for those who hear the page", () => {
  const { box } = open(
    <Field label="Seconds of Orders" hideLabel>
      {(id) => <Input id={id} />}
    </Field>,
  );
  expect(look(box).label).toBe("Seconds of Orders");
  expect(box.querySelector("label")?.className).toBe("sr");
});
