import type { ServiceDraft } from "../api/services";

type Settings = ServiceDraft["settings"];

/** What nearly everyone enters. */
export const usual: Record<string, Settings> = { pagerduty: { event_type: "trigger" } };

/** What is sent: settings that are empty are none. */
export const filled = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, v]) => v.trim() !== ""));

const sorted = (settings: Settings) => JSON.stringify(Object.entries(filled(settings)).sort());

/** Whether two forms would send the same. */
export const same = (a: Settings, b: Settings): boolean => sorted(a) === sorted(b);
