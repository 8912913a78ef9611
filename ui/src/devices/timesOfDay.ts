import type { Option } from "../components/fields";
import { viewer } from "../lib/viewer";

/** Every half hour of a day to choose from, and a time between that is chosen already, as the viewer writes them. */
export function timesOfDay(chosen: string): Option[] {
  const all = Array.from({ length: 48 }, (_, i) => `${two(Math.floor(i / 2))}:${i % 2 ? "30" : "00"}`);
  if (!all.includes(chosen)) all.push(chosen);
  const shown = new Intl.DateTimeFormat(viewer().locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC" });
  return all.sort().map((value) => ({ value, label: shown.format(new Date(`2000-01-01T${value}:00Z`)) }));
}

const two = (n: number) => String(n).padStart(2, "0");
