import { afterEach, expect, test, vi } from "vitest";
import { showOrg } from "../lib/org";
import { type ApiError, ask, call, connection, onSessionLost, problem, withQuery } from "./client";

afterEach(() => {
  vi.unstubAllGlobals();
  onSessionLost(undefined);
});

test("problems are kept by field, in the server's words", () => {
  const err = problem(400, "Bad Request", { errors: { params: { name: ["is not present"], role: "is unknown" } } });
  expect(err.field("name")).toBe("is not present");
  expect(err.field("role")).toBe("is unknown");
  expect(err.message).toBe("name is not present; role is unknown");
});

test("what is wrong within an object keeps the object's name", () => {
  const err = problem(422, "", {
    errors: { params: { conditions: { duration: ["must be set"] }, name: ["is taken"] } },
  });
  expect(err.field("conditions.duration")).toBe("must be set");
  expect(err.message).toBe("conditions.duration must be set; name is taken");
});

test("a request problem may be a string or a list", () => {
  expect(problem(404, "", { errors: { request: ["Not Found"] } }).message).toBe("Not Found");
  expect(problem(400, "", { errors: { request: "Try a different resolution." } }).message).toBe(
    "Try a different resolution.",
  );
});

test("a fault of the server names the request and does not promise that nothing changed", () => {
  expect(problem(500, "Internal", {}, "7f3a", "PUT").message).toBe(
    "The server had a problem (request 7f3a). Check whether the change was made.",
  );
  expect(problem(502, "Bad Gateway", {}, "", "DELETE").message).toBe(
    "The server had a problem. Check whether the change was made.",
  );
  expect(problem(500, "Internal", {}, "7f3a", "GET").message).toBe("The server had a problem (request 7f3a).");
});

test("a change that failed on the server is to be checked, a question is not", async () => {
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 503, headers: { "X-Request-Id": "ab12" } }));
  await expect(call("POST", "/v1/spaces", {})).rejects.toThrow(
    "The server had a problem (request ab12). Check whether the change was made.",
  );
  await expect(call("GET", "/v1/spaces")).rejects.toThrow(/^The server had a problem \(request ab12\)\.$/);
});

test("a lost session is asked for once and the call repeated", async () => {
  const answers = [new Response("{}", { status: 401 }), new Response('{"ok":true}', { status: 200 })];
  vi.stubGlobal("fetch", async () => answers.shift());
  let asked = 0;
  onSessionLost(async () => {
    asked++;
  });
  expect(await call("GET", "/v1/spaces")).toEqual({ ok: true });
  expect(asked).toBe(1);
});

test("an unreachable server is an error of its own", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("failed");
  });
  await expect(call("GET", "/v1/spaces")).rejects.toMatchObject({ status: 0 } satisfies Partial<ApiError>);
});

test("the connection is lost until something answers", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("failed");
  });
  await expect(call("GET", "/v1/spaces")).rejects.toThrow();
  expect(connection.lostSince()).toBeGreaterThan(0);
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 404 }));
  await expect(call("GET", "/v1/spaces")).rejects.toThrow();
  expect(connection.lostSince()).toBe(0);
});

test("a route is called with its path, its query and its body", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    asked.push([init.method, path, init.body]);
    return new Response("{}", { status: 200 });
  });
  await ask("GET /ui/api/metrics/{name}/uses", { at: { name: "a/b" } });
  await ask("GET /ui/api/alerts", { query: { state: "ok", q: "" } });
  await ask("PUT /ui/api/pins", { body: { spaces: [1] } });
  expect(asked).toEqual([
    ["GET", "/ui/api/metrics/a%2Fb/uses", undefined],
    ["GET", "/ui/api/alerts?state=ok", undefined],
    ["PUT", "/ui/api/pins", '{"spaces":[1]}'],
  ]);
});

test("an empty answer is undefined", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
  expect(await call("DELETE", "/v1/spaces/1")).toBeUndefined();
});

test("empty parameters are left out", () => {
  expect(withQuery("/v1/alerts", { q: "a b", state: undefined, x: "" })).toBe("/v1/alerts?q=a+b");
});

test("every call names the organization of the tab", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return new Response("{}");
  });
  showOrg("7");
  await call("GET", "/v1/spaces");
  await ask("GET /ui/api/org");
  await ask("GET /ui/api/session", { org: "" });
  showOrg("");
  expect(asked).toEqual(["/o/7/v1/spaces", "/o/7/ui/api/org", "/ui/api/session"]);
});
