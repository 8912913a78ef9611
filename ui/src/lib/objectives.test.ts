import { expect, test } from "vitest";
import {
  burnAlert,
  burnState,
  burnWindow,
  dayState,
  dayWords,
  drops,
  firstOfEach,
  goodWords,
  keptWords,
  notifyWords,
  share,
  spentName,
} from "./objectives";

const who = { locale: "en-GB", zone: "UTC" };

test("a share never looks like all of it", () => {
  expect(share(99.957, who)).toBe("99.957\u00a0%");
  expect(share(99.9999, who)).toBe("99.999\u00a0%");
  expect(share(100, who)).toBe("100\u00a0%");
});

test("burn rates are quiet, near or over", () => {
  expect(burnState({ rate: null, limit: 14 })).toBe("no data");
  expect(burnState({ rate: 2, limit: 14 })).toBe("quiet");
  expect(burnState({ rate: 0.8, limit: 1 })).toBe("near");
  expect(burnState({ rate: 1.1, limit: 1 })).toBe("over");
  expect(burnWindow({ long: 21_600, short: 1800 })).toBe("6 h and 30 min");
});

test("a day says what it cost", () => {
  const day = { at: Date.UTC(2026, 10, 3) / 1000, total: 1000, bad: 4, spent: 11 };
  expect(dayWords(day, who)).toBe("3 Nov: 99.6\u00a0%, 4 bad, 11\u00a0% of the budget.");
  expect(dayState(day, 28)).toBe("much");
  expect(dayState({ ...day, spent: 5 }, 28)).toBe("over");
  expect(dayState({ ...day, spent: 3 }, 28)).toBe("within");
  expect(dayState({ ...day, total: 0 }, 28)).toBe("none");
  expect(dayWords({ ...day, total: 0 }, who)).toBe("3 Nov: no data.");
});

test("a preview counts windows", () => {
  expect(keptWords(0, 0, 28)).toMatch(/Nothing is stored/);
  expect(keptWords(1, 1, 28)).toBe("You would have met it in the last 28 days.");
  expect(keptWords(5, 6, 30)).toBe("You would have met it in 5 of the last 6 windows of 30 days.");
});

const plain = { below: null, tags: [], group_by: "", labels: {}, without_maintenance: false };

test("an alert that is offered is an ordinary one", () => {
  const o = { ...plain, name: "Checkout: answers/ä", good_metric: "good", total_metric: "all", target: 99.9 };
  const a = burnAlert(o, { long: 3600, limit: 14 }, [3]);
  expect(a.name).toBe("Checkout: answers-- burns over 1 h");
  expect(a.severity).toBe("critical");
  expect(a.conditions[0]?.against).toEqual({ kind: "budget", period: 3600, good_metric: "good", objective: 99.9 });
});

test("an alert that is offered counts what the objective counts", () => {
  const o = {
    ...{ name: "Fast", good_metric: "", total_metric: "latency", target: 99, below: 300, without_maintenance: true },
    ...{ tags: [{ name: "kind", values: ["web"] }], group_by: "dc", labels: { team: "shop" } },
  };
  const a = burnAlert(o, { long: 86_400, limit: 3 }, []);
  expect(a.labels).toEqual({ team: "shop" });
  expect(a.conditions[0]?.tags).toEqual([
    { name: "kind", values: ["web"] },
    { name: "dc", values: ["*"], grouped: true },
  ]);
  expect(a.conditions[0]?.against).toEqual({
    ...{ kind: "budget", period: 86_400, objective: 99, below: 300, without_maintenance: true },
  });
  const same = burnAlert({ ...o, group_by: "kind" }, { long: 3600, limit: 14 }, []);
  expect(same.conditions[0]?.tags).toEqual([{ name: "kind", values: ["web"], grouped: true }]);
});

test("a sentence says what is good", () => {
  const words = (o: Parameters<typeof goodWords>[0], unit?: string) =>
    goodWords(o, unit)
      .map((w) => w.text)
      .join("");
  expect(words({ total_metric: "all", good_metric: "good", below: null })).toBe("all are to be good");
  expect(words({ total_metric: "latency", good_metric: "", below: 300 }, "ms")).toMatch(/at most 300\sms$/);
});

test("the line says where it falls most", () => {
  const line = [100, 94, 93, 82, 73, -5].map((left, at) => ({ at, left }));
  expect(drops(line).map((d) => [d.at, d.spent])).toEqual([
    [3, 11],
    [4, 9],
    [1, 6],
  ]);
});

test("a time is called by what happened then", () => {
  const at = { incidents: [{ id: 1, alert_id: 2, name: "failover" }], annotations: [] };
  expect(spentName(at)).toBe("failover");
  expect(spentName({ incidents: [], annotations: [{ id: 1, stream: "s", title: "deploy", at: 0 }] })).toBe("deploy");
  expect(spentName({ incidents: [], annotations: [] })).toBe("No incident or annotation");
});

test("an alert that fired several times is said once", () => {
  const incident = (id: number, alert_id: number) => ({ id, alert_id, name: `alert ${alert_id}` });
  const all = [incident(1, 7), incident(2, 8), incident(3, 7), incident(4, 8)];
  expect(firstOfEach(all)).toEqual([incident(1, 7), incident(2, 8)]);
});

test("who is notified of which windows", () => {
  const alert = (period: number, ...services: string[]) => ({ period, services });
  expect(notifyWords([alert(3600), alert(86_400)])).toBe("They notify nobody yet.");
  expect(notifyWords([alert(3600, "On-call"), alert(21_600, "On-call"), alert(86_400, "#ops")])).toBe(
    "Those under a day notify On-call, the others #ops.",
  );
  expect(notifyWords([alert(3600, "a"), alert(86_400, "a")])).toBe("They notify a.");
  expect(notifyWords([alert(3600, "a"), alert(86_400)])).toBe("Those under a day notify a, the others nobody.");
  expect(notifyWords([alert(3600), alert(86_400, "b")])).toBe("Those over a day notify b, the others nobody.");
});
