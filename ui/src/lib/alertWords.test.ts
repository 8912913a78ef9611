import { expect, test } from "vitest";
import type { Notice } from "../api/types.gen";
import {
  deliveryState,
  ending,
  shortMoment,
  stateWords,
  streamsInShort,
  stripMarks,
  stripSentence,
  tomorrowNine,
  violationKey,
} from "./alertWords";

test("how incidents end", () => {
  expect(ending({ cleared_at: null, clear: null, cleared_by: null })).toBe("still firing");
  expect(ending({ cleared_at: 5, clear: "normal", cleared_by: null })).toBe("cleared");
  expect(ending({ cleared_at: 5, clear: "inactive", cleared_by: null })).toBe("switched off");
  expect(ending({ cleared_at: 5, clear: "edited", cleared_by: null })).toBe("conditions changed");
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
  ).toBe("fired twice in 24 hours, 12 minutes");
  expect(stripSentence([], 86_400, { unjudged: [[0, 7200]] })).toBe(
    "did not fire in 24 hours; nothing to evaluate for 2 hours",
  );
  expect(stripSentence([[0, 3840]], 7 * 86_400)).toBe("fired once in 7 days, 1 hour 4 minutes");
});

test("maintenance of the strip in words", () => {
  const said = (maintained: [number, number][], suspended: [number, number][]) =>
    stripSentence([], 86_400, { maintained, suspended }).replace("did not fire in 24 hours", "");
  expect(said([], [])).toBe("");
  expect(said([[0, 7200]], [])).toBe("; in maintenance for 2 hours");
  expect(said([[0, 3600]], [[0, 3600]])).toBe("; in maintenance and not evaluated for 1 hour");
  expect(
    said(
      [
        [0, 7200],
        [9000, 12_600],
      ],
      [[0, 3600]],
    ),
  ).toBe("; in maintenance for 3 hours, not evaluated for 1 hour of it");
});

test("two conditions that one stream violates are two", () => {
  const v = { stream: "host=a", metric: "cpu", value: 1, unit: "", since: 0, recorded_at: 0 };
  const keys = [1, 2].map((condition_id) => violationKey({ ...v, condition_id }));
  expect(new Set(keys).size).toBe(2);
  expect(keys[0]).toContain("1 ");
});

test("how deliveries stand", () => {
  const d = {
    id: 1,
    alert_id: 1,
    service_id: 1,
    kind: "trigger" as const,
    created_at: 0,
    finished_at: 0,
    due_at: 140,
    tries: 4,
    incident_id: 1,
    key: "k",
    fallback_of: 0,
    notice: {} as Notice,
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
    brief: "503, try 4 of 12, next in 40 s",
  });
  const long = [{ at: 1, duration_ms: 20, ok: false, answer: "503 Service Unavailable: closed for repair" }];
  expect(deliveryState({ ...d, status: "waiting", attempts: long }, 12, 100).brief).toBe(
    "503, try 4 of 12, next in 40 s",
  );
  expect(deliveryState({ ...d, status: "failed", attempts: long }).brief).toBe("503 Service Unavailable in 20\u00a0ms");
  expect(deliveryState({ ...d, status: "failed", attempts }, 12).tone).toBe("red");
  expect(deliveryState({ ...d, status: "superseded", attempts }, 12).brief).toBe("the alert fired again before");
  expect(deliveryState({ ...d, status: "waiting", tries: 0, attempts: long }, 12, 100).brief).not.toContain("try");
});

test("a time of today is a clock's, another has its day", () => {
  const now = new Date(2026, 10, 15, 12).getTime() / 1000;
  expect(shortMoment(now - 3600, now)).toMatch(/^11:00/);
  expect(shortMoment(now - 3 * 86_400, now)).toMatch(/12 Nov|Nov 12/);
  expect(tomorrowNine(new Date(2026, 10, 30, 22))).toBe(new Date(2026, 11, 1, 9).getTime() / 1000);
});

test("streams in short", () => {
  expect(streamsInShort(["region=eu-central", "region=us-east"])).toBe("eu-central + 1");
  expect(streamsInShort(["host=a,region=eu"])).toBe("host=a,region=eu");
  expect(streamsInShort(["queue=mail", "region=eu", "region=us"], "region")).toBe("eu + 2");
  expect(streamsInShort([])).toBe("");
});

test("where an alert stands, in one line", () => {
  const at = 1_794_722_400;
  const alert = { state: "ok", since: at - 660, severity: "", last_fired_at: 0 } as const;
  expect(stateWords(alert, at)).toBe("OK, never fired");
  expect(stateWords({ ...alert, last_fired_at: at - 7200 }, at)).toBe("OK, last fired 2 h ago");
  expect(stateWords({ ...alert, maintenance: {} }, at)).toBe("In maintenance, never fired");
  expect(stateWords({ ...alert, state: "firing", severity: "warning" }, at)).toBe("Firing for 11 min, Warning");
  const taken = { acknowledged_at: at - 60, acknowledged_by: "user:a@example.org" };
  expect(stateWords({ ...alert, state: "firing", ...taken }, at)).toBe("Acknowledged by a@example.org, 1 min ago");
  expect(stateWords({ ...alert, state: "snoozed" }, at)).toBe("Snoozed");
  expect(stateWords({ ...alert, state: "inactive" }, at)).toBe("Inactive");
});
