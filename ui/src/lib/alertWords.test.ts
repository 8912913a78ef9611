import { expect, test } from "vitest";
import { deliveryState, ending, stripMarks, stripSentence } from "./alertWords";

test("how incidents end", () => {
  expect(ending({ cleared_at: null, clear: null, cleared_by: null })).toBe("still firing");
  expect(ending({ cleared_at: 5, clear: "normal", cleared_by: null })).toBe("");
  expect(ending({ cleared_at: 5, clear: "manual", cleared_by: "a@example.org" })).toBe("resolved by a@example.org");
  expect(ending({ cleared_at: 5, clear: "manual", cleared_by: "user:b@example.org" })).toBe(
    "resolved by b@example.org",
  );
  expect(ending({ cleared_at: 5, clear: "manual", cleared_by: "token:ci" })).toBe("resolved by the token ci");
  expect(ending({ cleared_at: 5, clear: "auto", cleared_by: null })).toBe("cleared after 10 days without data");
});

test("one pixel never hides a firing", () => {
  const marks = stripMarks(
    [
      [10, 11],
      [86_390, 86_400],
    ],
    0,
    86_400,
  );
  expect(marks).toHaveLength(2);
  for (const m of marks) {
    expect(m.width).toBeGreaterThanOrEqual(0.8);
    expect(m.left + m.width).toBeLessThanOrEqual(100);
  }
  expect(stripMarks([[0, 5]], 10, 20)).toEqual([]);
});

test("the strip in words", () => {
  expect(stripSentence([])).toBe("did not fire in 24 hours");
  expect(
    stripSentence([
      [0, 360],
      [1000, 1360],
    ]),
  ).toBe("fired twice in 24 hours, 12 min");
});

test("how deliveries stand", () => {
  const d = {
    id: 1,
    alert_id: 1,
    service_id: 1,
    kind: "trigger",
    created_at: 0,
    finished_at: 0,
    due_at: 140,
    tries: 4,
  };
  const attempts = [{ at: 1, duration_ms: 20, ok: false, answer: "503" }];
  expect(
    deliveryState(
      { ...d, status: "delivered", attempts: [{ ...attempts[0], ok: true, answer: "200 OK" } as never] },
      12,
    ).word,
  ).toBe("Delivered");
  expect(deliveryState({ ...d, status: "waiting", attempts }, 12, 100)).toEqual({
    word: "Retrying",
    tone: "amb",
    answer: "503, try 4 of 12, next in 40 s",
  });
  expect(deliveryState({ ...d, status: "failed", attempts }, 12).tone).toBe("red");
});
