/** What the fields of the API are called in forms, where that is not their own name. */
const names: Record<string, string> = {
  current_password: "Current password",
  email: "E-mail",
  "escalation.after_seconds": "After",
  "escalation.services": "Whom to notify",
  end_time: "End",
  ends_at: "Ends",
  expires_at: "Expires",
  import_token: "Token",
  good_metric: "The metric of what is good",
  "links.href": "Address",
  "schedule.time": "Time",
  "schedule.zone": "Time zone",
  metric_name: "Metric",
  org_name: "Organization",
  rearm_seconds: "Reminder",
  "attributes.runbook_url": "Runbook",
  start_time: "Start",
  starts_at: "Starts",
  total_metric: "The metric of all",
  username: "E-mail",
};

/** "display_name" is "Display name"; of "conditions.duration" only the last part is said. */
function nameOf(field: string): string {
  const known = names[field];
  if (known) return known;
  const last = field.split(".").at(-1) ?? field;
  const words = names[last] ?? last.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is wrong, then what is right; what no rule is for is said as the server says it, about the field. */
const rules: [RegExp, (name: string, found: string) => string][] = [
  [/^(?:is not present|can't be blank|must be set)$/, (name) => `${name} is missing.`],
  [/^is longer than (\d+) characters$/, (name, n) => `${name} is too long; ${n} characters are allowed.`],
  [/^is shorter than (\d+) characters$/, (name, n) => `${name} is too short; it needs ${n} characters.`],
  [/^is already taken$/, (name) => `There is already one with this ${name.toLowerCase()}.`],
  [/^is not a time in seconds since 1970$/, (name) => `${name} is not a date.`],
  [/^is before start_time$/, () => "End must be after Start."],
  [/^must be after starts_at$/, () => "Ends must be after Starts."],
  [/^must be 1: this is not an exported space$/, () => "This is not a file that Export JSON made."],
  [/^is not a web address$/, (name) => `${name} must begin with https:// or http://.`],
  [
    /^must be 1 to (\d+) letters, digits and \. : - _$/,
    (name, n) => `${name} may have letters, digits and . : - _ only, at most ${n}.`,
  ],
];

/** The problem of a field, as a sentence. */
export function problemWords(field: string, said: string): string {
  const name = nameOf(field);
  for (const [pattern, words] of rules) {
    const hit = pattern.exec(said);
    if (hit) return words(name, hit[1] ?? "");
  }
  // A sentence of its own, or the rest of one about the field.
  return /^[A-Z]/.test(said) ? said : `${name} ${said}${/[.!?]$/.test(said) ? "" : "."}`;
}
