import { number, squeezed, value } from "../lib/format";
import type { Viewer } from "../lib/viewer";

type Measure = (text: string) => number;

const hourMinute: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
const writers = new Map<string, Intl.DateTimeFormat>();

function writer({ locale, zone }: Viewer, o: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${zone}|${JSON.stringify(o)}`;
  let w = writers.get(key);
  if (!w) {
    w = new Intl.DateTimeFormat(locale, { timeZone: zone, calendar: "gregory", ...o });
    writers.set(key, w);
  }
  return w;
}

/** Labels of the time axis: clock within a day, weekday and day at midnight or over days. */
export function timeLabels(splits: number[], span: number, who: Viewer): string[] {
  const write = (o: Intl.DateTimeFormatOptions) => writer(who, o);
  const clock = write(span <= 600 ? { ...hourMinute, second: "2-digit" } : hourMinute);
  const midnight = write({ ...hourMinute, hourCycle: "h23" });
  const day = write(span > 10 * 86400 ? { day: "numeric", month: "short" } : { weekday: "short", day: "numeric" });
  return splits.map((t) => {
    const atMidnight = midnight.format(t * 1000) === "00:00";
    return atMidnight || span > 4 * 86400 ? day.format(t * 1000).replace(",", "") : clock.format(t * 1000);
  });
}

/** What would be cut at the right edge is left out; the left has the room of the axis. */
export function withinEdge(labels: string[], at: number[], edge: number, measure: Measure): string[] {
  return labels.map((text, i) => ((at[i] ?? 0) + measure(text) / 2 > edge ? "" : text));
}

const scientific = (locale: string | undefined) =>
  new Intl.NumberFormat(locale, { notation: "scientific", maximumSignificantDigits: 2 });

/** Labels of a value axis, all in one manner: the fullest that fits into the width of the axis. */
export function axisLabels(splits: number[], unit: string, who: Viewer, room: number, measure: Measure): string[] {
  const manners: ((v: number) => string)[] = [
    ...(unit ? [(v: number) => value(v, unit, who)] : []),
    (v) => number(v, who),
    (v) => squeezed(v, who),
  ];
  for (const write of manners) {
    const labels = splits.map(write);
    if (new Set(labels).size < labels.length) return tails(splits, who, room, measure);
    if (labels.every((text) => measure(text) <= room)) return labels;
  }
  return splits.map((v) => (v === 0 ? "0" : scientific(who.locale).format(v)));
}

/** As many decimals as the values of an axis need to be told apart. */
const decimalsOf = (splits: number[]) =>
  Math.max(0, ...splits.map((v) => (Number(v.toPrecision(12)).toString().split(".")[1] ?? "").length));

/** Labels that differ in their last digits only: those, for as many as there is room, all cut at one place. */
function tails(splits: number[], who: Viewer, room: number, measure: Measure): string[] {
  const n = decimalsOf(splits);
  const write = new Intl.NumberFormat(who.locale, { minimumFractionDigits: n, maximumFractionDigits: n });
  const full = splits.map((v) => write.format(v));
  const last = (n: number) => full.map((text) => (text.length <= n ? text : `…${text.slice(-n)}`));
  let kept = Math.max(...full.map((text) => text.length));
  while (kept > 2 && !last(kept).every((text) => measure(text) <= room)) kept--;
  return last(kept);
}

const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null | undefined;

/** How wide a text is drawn. Measuring costs, and the same labels come again with every tick. */
export function textWidth(text: string, font: string): number {
  const key = `${font}|${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * 6.4;
  pen.font = font;
  const width = pen.measureText(text).width;
  if (widths.size > 2_000) widths.clear();
  widths.set(key, width);
  return width;
}
