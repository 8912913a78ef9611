import type { ServiceDraft } from "../api/services";

type Settings = ServiceDraft["settings"];

/** What nearly everyone enters. */
export const usual: Record<string, Settings> = { pagerduty: { event_type: "trigger" } };

/** What is sent: settings that are empty are none. */
export const filled = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, v]) => v.trim() !== ""));

/** What the server shows in the place of a secret. */
const mask = "********";

/** Whether a form has secrets that are not shown: only the server can fill them in, when it is saved. */
export const isMasked = (settings: Settings): boolean => Object.values(settings).includes(mask);

const sorted = (settings: Settings) => JSON.stringify(Object.entries(filled(settings)).sort());

/** Whether two forms would send the same. */
export const same = (a: Settings, b: Settings): boolean => sorted(a) === sorted(b);
