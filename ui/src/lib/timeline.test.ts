import { expect, test } from "vitest";
import type { AlertDetail, TimelineEntry } from "../api/ui.gen";
import { nextNotified } from "./nextNotified";
import { countdown, inPart, isMine, record, said, titles } from "./timeline";

const at = 1_794_722_400;
const entry = (kind: TimelineEntry["kind"], more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  at,
  kind,
  ...more,
});
const delivery = {
  id: 1,
  kind: "trigger" as const,
  status: "delivered" as const,
  tries: 1,
  due_at: at,
  service: "#ops",
  type: "slack",
  answer: "200 OK",
  took_ms: 88,
};

test("every kind of entry has words", () => {
  const words = (e: TimelineEntry) => said(e, 14, at);
  expect(words(entry("fired", { streams: ["region=eu", "region=us"] }))).toMatchObject({
    title: "Fired",
    detail: "eu + 1",
  });
  expect(words(entry("joined", { streams: ["region=us"] })).title).toBe("1 more stream");
  expect(words(entry("acknowledged", { by: "user:a@example.org", text: "on it" }))).toEqual({
    bold: "a@example.org",
    title: "acknowledged",
    detail: "on it",
  });
  expect(words(entry("annotation", { by: "deploys", text: "deploy checkout 4.18.1" }))).toEqual({
    title: "deploy checkout 4.18.1",
    detail: "deploys",
  });
  expect(words(entry("maintenance", { by: "server", text: "Upgrade" }))).toMatchObject({ bold: "Upgrade" });
  expect(words(entry("cleared", { text: "normal" }))).toEqual({ title: "Cleared", tone: "grn" });
  expect(words(entry("cleared", { text: "manual", by: "user:a@example.org" })).detail).toBe(
    "Resolved by a@example.org",
  );
});

test("a notification says how it went", () => {
  expect(said(entry("notified", { delivery }), 14, at)).toMatchObject({
    title: "Notified",
    bold: "#ops",
    state: "Delivered",
  });
  const waiting = {
    ...delivery,
    kind: "escalation" as const,
    step: 2,
    status: "waiting" as const,
    tries: 4,
    due_at: at + 40,
    answer: "503 Service Unavailable",
  };
  expect(said(entry("notified", { delivery: waiting }), 14, at)).toMatchObject({
    title: "Step 2:",
    state: "Retrying",
    tone: "amb",
    detail: "503, try 4 of 14, next in 40 s",
  });
});

test("parts of the timeline", () => {
  expect(inPart(entry("notified"), "notifications")).toBe(true);
  expect(inPart(entry("fired"), "notifications")).toBe(false);
  expect(inPart(entry("comment"), "comments")).toBe(true);
  expect(inPart(entry("notified"), "comments")).toBe(false);
  expect(inPart(entry("fired"), "all")).toBe(true);
});

test("the record of an incident", () => {
  const over = { triggered_at: at, cleared_at: at + 3000 };
  expect(record(over, at)).toMatch(/^Cleared .* after 50 min\. Nobody acknowledged it\.$/);
  expect(record({ ...over, notes: [{ at: at + 1560, kind: "acknowledged" }] }, at)).toMatch(
    /Acknowledged after 26 min\.$/,
  );
});

test("what is counted down", () => {
  expect(countdown(288)).toBe("4 min 48 s");
  expect(countdown(300)).toBe("5 min");
  expect(countdown(9)).toBe("9 s");
  expect(countdown(7200)).toBe("2 h");
  expect(countdown(-3)).toBe("0 s");
});

test("names of services, in short", () => {
  expect(titles([{ title: "a" }])).toBe("a");
  expect(titles([{ title: "a" }, { title: "b" }])).toBe("a and b");
  expect(titles([{ title: "a" }, { title: "b" }, { title: "c" }, { title: "d" }])).toBe("a, b and 2 more");
});

const firing = {
  state: "firing",
  since: at,
  notified_at: at,
  services: [{ id: 1, type: "slack", title: "#ops" }],
  escalation: [],
  next: [],
} as unknown as AlertDetail;

test("who is next while nobody acknowledges", () => {
  const lead = { id: 2, type: "mail", title: "lead@example.org" };
  const next = [
    { at: at + 600, kind: "reminder" as const, services: firing.services },
    { at: at + 1800, kind: "escalation" as const, step: 1, services: [lead] },
  ];
  expect(nextNotified({ ...firing, next }, at)).toEqual({
    nobody: true,
    text: "lead@example.org is notified in",
    whom: "lead@example.org",
    at: at + 1800,
    from: at,
  });
  expect(nextNotified({ ...firing, next: next.slice(0, 1) }, at).text).toBe("#ops is reminded in");
  expect(nextNotified(firing, at)).toEqual({ nobody: true, text: "Everyone was notified." });
  expect(nextNotified({ ...firing, services: [] }, at).text).toBe("Nobody is notified of it.");
  expect(nextNotified({ ...firing, maintenance: { until: at + 60 } }, at).text).toMatch(
    /^Maintenance until .* Nobody is notified\.$/,
  );
});

test("acknowledged: by whom, and what stops", () => {
  const taken = { ...firing, acknowledged_at: at, acknowledged_by: "user:a@example.org" };
  expect(nextNotified(taken, at).text).toMatch(/^Acknowledged by a@example\.org, [\d:]+\.$/);
  const steps = [{ after_seconds: 60, services: [], at: at + 60, taken: false }];
  expect(nextNotified({ ...taken, escalation: steps }, at).text).toMatch(/ Escalation stopped\.$/);
});

test("people change their own comments, for ten minutes", () => {
  const mine = entry("comment", { id: 3, by: "user:a@example.org", text: "hm" });
  expect(isMine(mine, "a@example.org", at + 599)).toBe(true);
  expect(isMine(mine, "a@example.org", at + 600)).toBe(false);
  expect(isMine(mine, "b@example.org", at)).toBe(false);
  expect(isMine({ ...mine, kind: "acknowledged" }, "a@example.org", at)).toBe(false);
  expect(said({ ...mine, edited_at: at + 5 }, 14, at).title).toBe("(edited)");
});
