import { expect, test } from "vitest";
import { filled, linksFrom, ofStreams, wanted } from "./links";

const link = (url: string) => ({ title: "Runbook", url });

test("tags are filled in, and cannot break out of their place", () => {
  expect(wanted("https://wiki.example.org/{host}?r={region}")).toEqual(["host", "region"]);
  expect(filled(link("https://wiki.example.org/{host}"), { host: "a b/../c&d" })).toBe(
    "https://wiki.example.org/a%20b%2F..%2Fc%26d",
  );
  expect(filled(link("/spaces/3?tag.host={host}"), { host: "web-1" })).toBe("/spaces/3?tag.host=web-1");
  expect(filled(link("https://wiki.example.org/{host}"), {})).toBeUndefined();
});

test("nobody is sent where a link should not lead", () => {
  for (const url of ["javascript:alert(1)", "//example.org", "/\\example.org", "ftp://example.org"])
    expect(filled(link(url), {})).toBeUndefined();
  expect(filled(link("{scheme}:alert(1)"), { scheme: "javascript" })).toBeUndefined();
});

test("a stream has the links that want tags, as far as it has them", () => {
  const links = [
    link("https://example.org/all"),
    link("https://example.org/{host}"),
    link("/spaces/1?tag.region={region}"),
  ];
  expect(ofStreams(links)).toEqual(links.slice(1));
  expect(ofStreams(null)).toEqual([]);
  expect(linksFrom(ofStreams(links), { host: "web-02" })).toEqual([
    { title: "Runbook", to: "https://example.org/web-02" },
  ]);
});
