import { expect, test } from "vitest";
import { stateOf } from "./checks";

test("the state of a check is a word", () => {
  const c = { kind: "http", active: true, ran_at: 5, up: true };
  expect(stateOf(c)).toBe("Up");
  expect(stateOf({ ...c, up: false })).toBe("Down");
  expect(stateOf({ ...c, up: false, kind: "tls" })).toBe("Soon");
  expect(stateOf({ ...c, up: false, ran_at: 0 })).toBe("Waiting");
  expect(stateOf({ ...c, up: false, kind: "heartbeat" })).toBe("Missed");
  expect(stateOf({ ...c, active: false })).toBe("Paused");
});
