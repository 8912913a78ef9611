import { expect, test } from "vitest";
import { linkProblem, ownPath } from "./link";

test.each(["", " ", "https://wiki.example.org/runbook", "http://10.0.0.1:8080/x#y", "HTTPS://example.org"])(
  "%s can be followed",
  (text) => expect(linkProblem(text)).toBeUndefined(),
);

test.each(["wiki.example.org/runbook", "javascript:alert(1)", "ftp://example.org", "/runbook"])(
  "%s has no scheme of the web",
  (text) => expect(linkProblem(text)).toMatch(/^Begin with https/),
);

test.each(["https://", "https://exa mple.org"])("%s is no address", (text) =>
  expect(linkProblem(text)).toBe("This is not an address."),
);

test("only paths of our own are gone on to", () => {
  for (const path of ["/", "/alerts?state=firing"]) expect(ownPath(path)).toBe(path);
  for (const path of [undefined, "", "https://evil.example", "//evil.example", "///evil.example", "/\\evil.example"])
    expect(ownPath(path)).toBe("/");
  for (const path of ["/\t/evil.example", "/\n/evil.example", "/\r\n/evil.example", "\t//evil.example"])
    expect(ownPath(path)).toBe("/");
});
