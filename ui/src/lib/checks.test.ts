import { expect, test } from "vitest";
import { certificateOf, isUnwell, pieces, silentPlaces, stateOf } from "./checks";

const c = {
  kind: "http",
  active: true,
  ran_at: 995,
  up: true,
  every: 60,
  created_at: 100,
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
  expect(["Up", "Silent", "Down", "Waiting", "Paused"].map(isUnwell)).toEqual([false, true, true, false, false]);
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
    { from: 0, to: 0.4, up: true },
    { from: 0.4, to: 0.6, up: false },
    { from: 0.8, to: 1, up: true },
  ]);
  expect(pieces([null, 0.5])).toEqual([{ from: 0.5, to: 1, up: false }]);
  expect(pieces([])).toEqual([]);
});

test("a web address has a certificate where it is encrypted", () => {
  expect(certificateOf("https://shop.example.org/basket")).toBe("shop.example.org:443");
  expect(certificateOf("https://shop.example.org:8443/")).toBe("shop.example.org:8443");
  expect(certificateOf("http://shop.example.org/")).toBeUndefined();
  expect(certificateOf("shop")).toBeUndefined();
});
