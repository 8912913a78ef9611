import { withPrefix } from "../lib/prefix";

/** How long an answer that nobody takes is kept: what it says grows old. */
const kept = 10_000;
const asked = new Map<string, Promise<Response>>();

/** Asks for what the page will need, while its scripts are on their way. */
export function askEarly(path: string): Promise<Response> {
  const answer = fetch(withPrefix(path), { credentials: "same-origin", headers: { Accept: "application/json" } });
  asked.set(path, answer);
  const forget = () => window.setTimeout(() => asked.delete(path), kept);
  answer.then(forget, forget);
  return answer;
}

/** An answer that was asked for early, for the first who wants it. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}
