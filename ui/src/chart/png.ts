/** What stands around a chart in its picture. */
export type Caption = {
  title: string;
  unit: string;
  /** Which times it shows; a picture outlives the page. */
  range: string;
};

type Color = (name: string) => string;
type Entry = { name: string; value: string; color: string; off: boolean };

const pad = 12;
const row = 20;
const mostEvents = 6;
const family = '"Inter Variable", Inter, sans-serif';
const plain = `12px ${family}`;
const bold = `600 12px ${family}`;
const heading = `600 13px ${family}`;

/** Draws a chart as it is on screen onto one picture, with what is needed to read it elsewhere. */
export async function picture(card: HTMLElement, caption: Caption): Promise<Blob> {
  const chart = card.querySelector<HTMLCanvasElement>(".u-wrap canvas");
  if (!chart) throw new Error("There is nothing to draw.");
  const style = getComputedStyle(document.documentElement);
  const color: Color = (name) => style.getPropertyValue(name).trim();
  const out = document.createElement("canvas");
  const ctx = out.getContext("2d");
  if (!ctx) throw new Error("This browser cannot draw.");
  const [width, height] = [chart.clientWidth, chart.clientHeight];
  const names = wrapped(ctx, entries(card, color), width);
  const events = eventLines(card);
  const head = pad + 2 * row;
  const ratio = chart.width / width;
  out.width = (width + 2 * pad) * ratio;
  out.height = (head + height + (names.length + events.length) * row + pad) * ratio;
  ctx.scale(ratio, ratio);
  ctx.fillStyle = color("--tm-panel");
  ctx.fillRect(0, 0, out.width, out.height);
  drawHead(ctx, caption, width, color);
  drawBands(ctx, card, chart, head);
  ctx.drawImage(chart, pad, head, width, height);
  drawFlags(ctx, card, chart, head, color("--tm-ann"));
  names.forEach((line, i) => {
    drawNames(ctx, line, head + height + i * row + 16, color);
  });
  drawEvents(ctx, events, head + height + names.length * row + 16, width, color);
  return new Promise((resolve, reject) =>
    out.toBlob((b) => (b ? resolve(b) : reject(new Error("This browser cannot draw."))), "image/png"),
  );
}

function write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, color: string): number {
  ctx.font = font;
  ctx.fillStyle = color;
  ctx.fillText(text, x, y);
  return ctx.measureText(text).width;
}

/** A text that fits, with an ellipsis where it was cut. */
function cut(ctx: CanvasRenderingContext2D, text: string, font: string, room: number): string {
  ctx.font = font;
  if (ctx.measureText(text).width <= room) return text;
  let end = text.length;
  while (end > 1 && ctx.measureText(`${text.slice(0, end)}…`).width > room) end--;
  return `${text.slice(0, end)}…`;
}

function drawHead(ctx: CanvasRenderingContext2D, { title, unit, range }: Caption, width: number, color: Color): void {
  const named = write(ctx, cut(ctx, title, heading, width), pad, pad + 12, heading, color("--tm-t1"));
  const room = width - named - 8;
  if (unit && room > 40) write(ctx, cut(ctx, unit, plain, room), pad + named + 8, pad + 12, plain, color("--tm-t3"));
  write(ctx, cut(ctx, range, plain, width), pad, pad + 12 + row, plain, color("--tm-t2"));
}

/** The names of the legend with their values, and how many more there are. */
function entries(card: HTMLElement, color: Color): Entry[] {
  const shown = [...card.querySelectorAll<HTMLElement>("[data-legend]")].map((item) => ({
    name: item.querySelector("[data-name]")?.textContent ?? "",
    value: [...item.querySelectorAll("[data-value]")].map((v) => v.textContent ?? "").join(" "),
    color: item.querySelector<HTMLElement>("[data-swatch]")?.style.background ?? color("--tm-t3"),
    off: item.dataset.off === "true",
  }));
  const more = card.querySelector("[data-more][aria-expanded=false]")?.textContent;
  return more ? [...shown, { name: more, value: "", color: "", off: false }] : shown;
}

const swatch = 16;
const between = 20;
const gap = 6;

function widthOf(ctx: CanvasRenderingContext2D, e: Entry): number {
  ctx.font = plain;
  const name = ctx.measureText(e.name).width;
  ctx.font = bold;
  return (e.color ? swatch : 0) + name + (e.value ? gap + ctx.measureText(e.value).width : 0) + between;
}

/** The legend in as many lines as it takes. */
function wrapped(ctx: CanvasRenderingContext2D, all: Entry[], width: number): Entry[][] {
  const lines: Entry[][] = [];
  let left = 0;
  for (const e of all) {
    const w = widthOf(ctx, e);
    if (w > left || lines.length === 0) {
      lines.push([]);
      left = width + between;
    }
    lines[lines.length - 1]?.push(e);
    left -= w;
  }
  return lines;
}

function drawNames(ctx: CanvasRenderingContext2D, line: Entry[], y: number, color: Color): void {
  let x = pad;
  for (const e of line) {
    const start = x;
    ctx.globalAlpha = e.off ? 0.4 : 1;
    if (e.color) {
      ctx.fillStyle = e.color;
      ctx.fillRect(x, y - 6, 11, 3);
      x += swatch;
    }
    const named = write(ctx, e.name, x, y, plain, color("--tm-t2"));
    if (e.value) write(ctx, e.value, x + named + gap, y, bold, color("--tm-t1"));
    x = start + widthOf(ctx, e);
  }
  ctx.globalAlpha = 1;
}

/** Where something lies that is drawn over the chart. */
function over(item: Element, chart: HTMLCanvasElement, head: number): DOMRect {
  const [a, b] = [item.getBoundingClientRect(), chart.getBoundingClientRect()];
  return new DOMRect(pad + a.x - b.x, head + a.y - b.y, a.width, a.height);
}

function drawBands(ctx: CanvasRenderingContext2D, card: HTMLElement, chart: HTMLCanvasElement, head: number): void {
  for (const band of card.querySelectorAll("[data-band]")) {
    const { x, y, width, height } = over(band, chart, head);
    ctx.fillStyle = getComputedStyle(band).backgroundColor;
    ctx.fillRect(x, y, width, height);
  }
}

function drawFlags(
  ctx: CanvasRenderingContext2D,
  card: HTMLElement,
  chart: HTMLCanvasElement,
  head: number,
  color: string,
): void {
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.setLineDash([3, 3]);
  for (const mark of card.querySelectorAll("[data-mark]")) {
    const { x, y, height } = over(mark, chart, head);
    ctx.beginPath();
    ctx.moveTo(x + 0.5, y);
    ctx.lineTo(x + 0.5, y + height);
    ctx.stroke();
    flag(ctx, x + 0.5, y - 4);
  }
  ctx.setLineDash([]);
}

function flag(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.beginPath();
  ctx.moveTo(x - 5, y);
  ctx.lineTo(x + 5, y);
  ctx.lineTo(x, y + 7);
  ctx.fill();
}

/** What the flags say. */
function eventLines(card: HTMLElement): string[] {
  const all = [...card.querySelectorAll("[data-mark] button")].map((b) => b.getAttribute("aria-label") ?? "");
  if (all.length <= mostEvents) return all;
  return [...all.slice(0, mostEvents - 1), `and ${all.length - mostEvents + 1} more annotations`];
}

function drawEvents(ctx: CanvasRenderingContext2D, lines: string[], y: number, width: number, color: Color): void {
  lines.forEach((text, i) => {
    ctx.fillStyle = color("--tm-ann");
    flag(ctx, pad + 5, y + i * row - 7);
    write(ctx, cut(ctx, text, plain, width - swatch), pad + swatch, y + i * row, plain, color("--tm-t2"));
  });
}

/** Puts a picture on the clipboard, or gives it as a file where that is not allowed. */
export async function copyPicture(
  blob: Blob,
  name: string,
  save: (name: string, blob: Blob) => void,
): Promise<"copied" | "saved"> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    return "copied";
  } catch {
    save(name, blob);
    return "saved";
  }
}
