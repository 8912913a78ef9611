import { afterEach, expect, test } from "vitest";
import { inOrg, resolveAddress, rewrite, showOrg, splitOrg } from "./org";

afterEach(() => showOrg(""));
const last = () => Promise.resolve(3);

test("an address is split into its organization and the rest", () => {
  expect(splitOrg("/o/7/alerts/12")).toEqual({ org: "7", rest: "/alerts/12" });
  expect(splitOrg("/o/7")).toEqual({ org: "7", rest: "/" });
  expect(splitOrg("/o/7/")).toEqual({ org: "7", rest: "/" });
  expect(splitOrg("/organization/tokens")).toEqual({ org: "", rest: "/organization/tokens" });
});

test("pages and calls get the tab's organization, the door and shared pages none", () => {
  expect(inOrg("/alerts")).toBe("/alerts");
  showOrg("7");
  expect(inOrg("/alerts")).toBe("/o/7/alerts");
  expect(inOrg("/v1/alerts")).toBe("/o/7/v1/alerts");
  expect(inOrg("/")).toBe("/o/7/");
  expect(inOrg("/send")).toBe("/o/7/send");
  expect(inOrg("/settings", 8)).toBe("/o/8/settings");
  for (const path of ["/signin", "/reset/k", "/setup/k", "/invite/k", "/s/k"]) expect(inOrg(path)).toBe(path);
});

test("what the router writes it reads back", () => {
  showOrg("7");
  const written = rewrite.output({ url: new URL("http://h/spaces/1?from=-1h#x") });
  expect(written.href).toBe("http://h/o/7/spaces/1?from=-1h#x");
  expect(rewrite.input({ url: written }).href).toBe("http://h/spaces/1?from=-1h#x");
});

test("old addresses are sent on", async () => {
  expect(await resolveAddress("/spaces/1", last)).toBe("/o/3/spaces/1");
  expect(await resolveAddress("/", last)).toBe("/o/3/");
  expect(await resolveAddress("/alerts/5/details/14", last)).toBe("/o/5/alerts/14");
});

test("an address with an organization, and one that needs none, ask nobody", async () => {
  const never = () => Promise.reject(new Error("asked"));
  expect(await resolveAddress("/o/7/spaces/1", never)).toBe("/o/7/spaces/1");
  expect(await resolveAddress("/s/key", never)).toBe("/s/key");
});
