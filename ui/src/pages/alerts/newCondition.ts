import type { Condition } from "../../api/types";

/** What a condition starts as. */
export const newCondition = (metric = ""): Condition => ({
  type: "above",
  metric_name: metric,
  threshold: 0,
  duration: 300,
  tags: [],
});
