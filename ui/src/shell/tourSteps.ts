/** Where a step of the tour points: an address that the navigation has, or the search. */
export type Step = { at: string; title: string; text: string };

/** What there is, in five steps. */
export const steps: Step[] = [
  {
    at: "search",
    title: "Find anything",
    text: "Spaces, charts, metrics, alerts and settings, by a part of their name. A question mark shows the keys of the page.",
  },
  {
    at: "/spaces",
    title: "Spaces are pages of charts",
    text: "Make one of what arrives, or chart by chart. Drag over a chart to zoom all of them; the address is the link to what you see.",
  },
  {
    at: "/explore",
    title: "Explore asks without saving",
    text: "Several queries side by side. Mark a moment in a chart, and it says what else changed then.",
  },
  {
    at: "/alerts",
    title: "Alerts tell you",
    text: "Thresholds, usual bands, silence, checks from outside and objectives. Try one out on the past before you save it.",
  },
  {
    at: "/send",
    title: "Send data from what you have",
    text: "The agent, OpenTelemetry, Prometheus, StatsD and the old libraries: each with its setting filled in.",
  },
];
