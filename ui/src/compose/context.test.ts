import { describe, expect, test } from "vitest";
import { contextAt, lineOf } from "./context";

/** The bar is the cursor. */
const at = (text: string) => contextAt(text.replace("|", ""), text.indexOf("|"));

describe("what is being written", () => {
  test("a metric", () => {
    expect(at('sum(s("checkout.req|"))')).toEqual({ kind: "metric", from: 7, text: "checkout.req" });
    expect(at('s("|')).toMatchObject({ kind: "metric", text: "" });
  });
  test("a tag of that metric", () => {
    expect(at('s("checkout.requests", {"reg|"')).toMatchObject({
      kind: "tag",
      text: "reg",
      metric: "checkout.requests",
      quoted: true,
    });
    expect(at('s("cpu", {|')).toMatchObject({ kind: "tag", text: "", metric: "cpu", quoted: false });
    expect(at('s("cpu", {"a":"b", ho|')).toMatchObject({ kind: "tag", text: "ho", metric: "cpu" });
  });
  test("a value of that tag", () => {
    expect(at('s("cpu", {"a":"b", "host":"we|"})')).toMatchObject({
      kind: "value",
      text: "we",
      metric: "cpu",
      tag: "host",
    });
    expect(at('s("cpu", {host:"|"})')).toMatchObject({ kind: "value", tag: "host" });
  });
  test("a function", () => {
    expect(at("di|")).toEqual({ kind: "function", from: 0, text: "di" });
    expect(at('divide([sum(s("a","*")), su|')).toMatchObject({ kind: "function", text: "su" });
    expect(at("|")).toMatchObject({ kind: "function", text: "" });
  });
  test("an option of a function", () => {
    expect(at('scale(s("a","*"), {fa|')).toMatchObject({ kind: "option", text: "fa", fn: "scale" });
    expect(at('s("a", "*", {pe|')).toMatchObject({ kind: "option", fn: "s" });
  });
  test("a tag to group by", () => expect(at('group_by("region,ho|')).toMatchObject({ kind: "tag", text: "ho" }));
  test("nothing in other strings", () => {
    expect(at('scale(s("a","*"), {factor:"1|')).toBeUndefined();
    expect(at('timeshift("1|')).toBeUndefined();
    expect(at('"|')).toBeUndefined();
  });
});

test("lines are counted from one", () => {
  expect(lineOf("a\nb\nc", 0)).toBe(1);
  expect(lineOf("a\nb\nc", 4)).toBe(3);
});
