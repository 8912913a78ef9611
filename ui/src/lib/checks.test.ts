import { expect, test } from "vitest";
import { certificateOf, isUnwell, pieces, silentPlaces, stateOf } from "./checks";

const c = {
  kind: "http",
  active: true,
  ran_at: 995,
  up: true,
  every: 60,
  created_at: 100,
  duration: 0.2,
  slow: 0,
  places: ["server"],
  results: [{ place: "server", ran_at: 995 }],
};

test("the state of a check is a word", () => {
  expect(stateOf(c, 1000)).toBe("Up");
  expect(stateOf({ ...c, up: false }, 1000)).toBe("Down");
  expect(stateOf({ ...c, up: false, kind: "tls" }, 1000)).toBe("Soon");
  expect(stateOf({ ...c, up: false, ran_at: 0, results: [] }, 1000)).toBe("Waiting");
  expect(stateOf({ ...c, up: false, kind: "heartbeat" }, 1000)).toBe("Missed");
  expect(stateOf({ ...c, up: false, kind: "heartbeat", ran_at: 0 }, 1000)).toBe("Waiting");
  expect(stateOf({ ...c, active: false }, 1000)).toBe("Paused");
  expect(["Up", "Silent", "Down", "Slow", "Waiting", "Paused", "Maintenance"].map(isUnwell)).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("an answer can be slow, and maintenance counts before what is found", () => {
  expect(stateOf({ ...c, slow: 0.1 }, 1000)).toBe("Slow");
  expect(stateOf({ ...c, slow: 0.2 }, 1000)).toBe("Up");
  expect(stateOf({ ...c, slow: 0.1, up: false }, 1000)).toBe("Down");
  expect(stateOf({ ...c, slow: 0.1, kind: "heartbeat" }, 1000)).toBe("Up");
  expect(stateOf({ ...c, slow: 0.1, ran_at: 0, results: [] }, 1000)).toBe("Waiting");
  const maintenance = { name: "Database upgrade", until: 2000 };
  expect(stateOf({ ...c, up: false, maintenance }, 1000)).toBe("Maintenance");
  expect(stateOf({ ...c, active: false, maintenance }, 1000)).toBe("Paused");
});

test("an agent that tells nothing is silent, also one that never did", () => {
  const of = (change: Partial<typeof c>) => ({ ...c, places: ["agent:web-01", "agent:web-02"], ...change });
  const told = [
    { place: "web-01", ran_at: 995 },
    { place: "Web-02", ran_at: 819 },
  ];
  expect(silentPlaces(of({ results: told }), 1000)).toEqual(["Web-02"]);
  expect(stateOf(of({ results: told }), 1000)).toBe("Silent");
  expect(stateOf(of({ results: told, up: false }), 1000)).toBe("Down");
  expect(silentPlaces(of({ results: told.slice(0, 1) }), 1000)).toEqual(["web-02"]);
  expect(silentPlaces(of({ results: [], created_at: 900 }), 1000)).toEqual([]);
  expect(silentPlaces(of({ results: told, active: false }), 1000)).toEqual([]);
  expect(silentPlaces({ ...c, results: [{ place: "server", ran_at: 5 }] }, 1000)).toEqual([]);
});

test("a day is drawn as pieces that are alike", () => {
  expect(pieces([1, 1, 0, undefined, 1])).toEqual([
    { from: 0, to: 0.4, state: "up" },
    { from: 0.4, to: 0.6, state: "down" },
    { from: 0.8, to: 1, state: "up" },
  ]);
  expect(pieces([null, 0.5])).toEqual([{ from: 0.5, to: 1, state: "down" }]);
  expect(pieces([])).toEqual([]);
  expect(pieces([1, 1, 0, 1], [0.1, 3, 3, null], 2)).toEqual([
    { from: 0, to: 0.25, state: "up" },
    { from: 0.25, to: 0.5, state: "slow" },
    { from: 0.5, to: 0.75, state: "down" },
    { from: 0.75, to: 1, state: "up" },
  ]);
});

test("a web address has a certificate where it is encrypted", () => {
  expect(certificateOf("https://shop.example.org/basket")).toBe("shop.example.org:443");
  expect(certificateOf("https://shop.example.org:8443/")).toBe("shop.example.org:8443");
  expect(certificateOf("http://shop.example.org/")).toBeUndefined();
  expect(certificateOf("shop")).toBeUndefined();
});
