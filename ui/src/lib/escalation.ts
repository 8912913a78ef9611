import type { EscalationStep } from "../api/types.gen";
import { count, duration, whole } from "./format";

/** A week: as late as a step may be. */
const mostMinutes = 7 * 24 * 60;
const mostSteps = 10;

/** What is wrong with a step, by the control it is about. */
export type StepProblem = { after?: string; services?: string };

export const isWrong = (p: StepProblem): boolean => p.after !== undefined || p.services !== undefined;

/** What is wrong with each step; 0 seconds is a time that is no number. */
export function stepProblems(steps: EscalationStep[]): StepProblem[] {
  return steps.map((s, i) => {
    const minutes = s.after_seconds / 60;
    const before = steps[i - 1]?.after_seconds ?? 0;
    const found: StepProblem = {};
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > mostMinutes)
      found.after = `After must be between 1 and ${whole(mostMinutes)} minutes.`;
    else if (s.after_seconds <= before)
      found.after = `After must be more than the ${duration(before)} of the step before.`;
    if (s.services.length === 0) found.services = "Whom to notify is missing. Choose a service.";
    return found;
  });
}

/** One step more: after as long again as the last one, or a quarter of an hour. */
export function addStep(steps: EscalationStep[]): EscalationStep[] {
  const last = steps.at(-1)?.after_seconds ?? 0;
  const after = last ? Math.min(last * 2, mostMinutes * 60) : 900;
  return [...steps, { after_seconds: after, services: [] }];
}

/** Why there can be no further step. */
export const stepsFull = (steps: EscalationStep[]): string | false =>
  steps.length >= mostSteps && `An alert has ${count(mostSteps, "step")} at most.`;
