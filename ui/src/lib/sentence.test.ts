import { expect, test } from "vitest";
import { alertSentence, conditionSentence } from "./sentence";

const who = { locale: "en-GB", zone: "UTC" };
const t = (s: string) => s.replaceAll("\u202f", " ");

test("a condition reads as a sentence", () => {
  expect(
    t(
      conditionSentence(
        {
          type: "above",
          metric_name: "checkout.latency.p99",
          threshold: 250,
          duration: 300,
          summary_function: "max",
          tags: [{ name: "region", grouped: true }],
        },
        "ms",
        who,
      ),
    ),
  ).toBe("checkout.latency.p99 max above 250 ms for 5 min, per region");
});

test("at once, absent and several", () => {
  expect(t(conditionSentence({ type: "below", metric_name: "a", threshold: 2, tags: [] }, "", who))).toBe("a below 2");
  expect(conditionSentence({ type: "absent", metric_name: "worker.heartbeat", duration: 600, tags: [] })).toBe(
    "worker.heartbeat absent for 10 min",
  );
  const both = alertSentence(
    [
      { type: "above", metric_name: "queue.depth", threshold: 5000, tags: [] },
      { type: "below", metric_name: "queue.consumers", threshold: 2, tags: [] },
    ],
    () => "",
    who,
  );
  expect(both).toBe("queue.depth above 5,000 and queue.consumers below 2");
  expect(alertSentence([])).toBe("never, it has no conditions");
});
