/**
 * The colours of data, in order. Red, amber and teal are left out on purpose:
 * they mean state and interface. palette.test.ts keeps any two of them apart
 * for people who see colours differently.
 */
export type Scheme = "light" | "dark";

export const palette: { name: string; light: string; dark: string }[] = [
  { name: "blue", light: "#2E73E0", dark: "#6FA6F5" },
  { name: "orange", light: "#D97B12", dark: "#E68A1E" },
  { name: "green", light: "#0B7350", dark: "#7FD6B8" },
  { name: "pink", light: "#E0429A", dark: "#CC5F88" },
  { name: "violet", light: "#5B2CB2", dark: "#7F70EA" },
  { name: "rust", light: "#84330F", dark: "#F2DF5A" },
  { name: "cyan", light: "#1A9CC2", dark: "#B0E8F7" },
  { name: "slate", light: "#707A7E", dark: "#95A5AB" },
];

export const panel = { light: "#FFFFFF", dark: "#121B1E" };

/** The colours of a chart's frame; the canvas cannot read CSS variables. */
export const frame = {
  light: { text: "#5F7073", grid: "#E9EEEE", panel: "#FFFFFF", red: "#C0392B", amber: "#945F04", ann: "#6D5BD0" },
  dark: { text: "#859699", grid: "#1C282B", panel: "#121B1E", red: "#FF8A7A", amber: "#F0B94E", ann: "#A79BFF" },
};

/** A colour to be: a place in the palette with a step of lightness, or what someone chose. */
export type Paint = { slot: number; step?: number } | { hex: string; step?: number };

export type Lab = { l: number; a: number; b: number };

export function rgb(hex: string): [number, number, number] {
  const h = hex.replace("#", "");
  const full = h.length === 3 ? [...h].map((c) => c + c).join("") : h;
  const n = Number.parseInt(full, 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

const toLinear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const toGamma = (c: number) => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);

export function linear(hex: string): [number, number, number] {
  const [r, g, b] = rgb(hex);
  return [toLinear(r / 255), toLinear(g / 255), toLinear(b / 255)];
}

/** Linear light to OKLab, in which distances are as large as they look. */
export function oklab([r, g, b]: [number, number, number]): Lab {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

function hexOf({ l, a, b }: Lab): string {
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgbLinear = [
    4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
    -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
    -0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3,
  ];
  const byte = (c: number) => Math.round(255 * Math.min(1, Math.max(0, toGamma(c))));
  return `#${rgbLinear.map((c) => byte(c).toString(16).padStart(2, "0")).join("")}`.toUpperCase();
}

function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: string, other: string): number {
  const [lo = 0, hi = 0] = [luminance(one), luminance(other)].sort((x, y) => x - y);
  return (hi + 0.05) / (lo + 0.05);
}

/** Makes a colour lighter or darker until it stands out from the panel. */
function readable(hex: string, scheme: Scheme): string {
  let lab = oklab(linear(hex));
  let out = hex.toUpperCase();
  for (let i = 0; i < 50 && contrast(out, panel[scheme]) < 3; i++) {
    lab = { ...lab, l: lab.l + (scheme === "dark" ? 0.02 : -0.02) };
    out = hexOf(lab);
  }
  return out;
}

function stepped(hex: string, step: number, scheme: Scheme): string {
  if (step === 0) return hex;
  const lab = oklab(linear(hex));
  // Away from the panel's lightness first, then towards it.
  const by = [0, 0.12, -0.12, 0.2, -0.2, 0.06, -0.06, 0.16][step % 8] ?? 0;
  const l = Math.min(0.95, Math.max(0.2, lab.l + (scheme === "dark" ? by : -by)));
  return readable(hexOf({ ...lab, l }), scheme);
}

/** The colour to draw with in a theme. A palette colour of either theme follows the theme. */
export function colorOf(paint: Paint, scheme: Scheme): string {
  const { step = 0 } = paint;
  if ("hex" in paint) {
    const hex = paint.hex.startsWith("#") ? paint.hex.toUpperCase() : `#${paint.hex.toUpperCase()}`;
    const slot = palette.findIndex((p) => p.light === hex || p.dark === hex);
    return slot >= 0 ? colorOf({ slot, step }, scheme) : stepped(readable(hex, scheme), step, scheme);
  }
  const base = palette[paint.slot % palette.length]?.[scheme] ?? "#707A7E";
  return stepped(base, step, scheme);
}

/** The colour of a stacked line's area. */
export const fillOf = (paint: Paint, scheme: Scheme) =>
  withAlpha(colorOf(paint, scheme), scheme === "dark" ? 0.72 : 0.65);

/** The colour that one of too many lines takes under the pointer: any but slate, which they all have. */
export const hoverPaint = (n: number): Paint => ({ slot: n % (palette.length - 1) });

/** The dash of the n-th line: whole, then long, then short dashes. */
export function dashOf(n: number): number[] | undefined {
  return [undefined, [6, 4], [2, 3]][Math.floor(n / palette.length) % 3];
}

export function withAlpha(hex: string, alpha: number): string {
  const [r, g, b] = rgb(hex);
  return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}
