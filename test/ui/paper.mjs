// What is to be seen on the sheets of a PDF. Poppler paints them, so that one
// eye looks at what every browser prints: of the words, Firefox leaves out which
// letters they are made of.
import { execFileSync } from "node:child_process";

/** The sheets of a PDF as pictures, in pixels of the page that was printed. */
export function sheetsOf(pdf) {
  const painted = paint(pdf);
  const sheets = [];
  for (let at = 0; at < painted.length; ) {
    const [head, width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(painted.toString("latin1", at, at + 40));
    const from = at + head.length;
    at = from + width * height * 3;
    sheets.push({ width: Number(width), height: Number(height), rgb: painted.subarray(from, at) });
  }
  return sheets;
}

function paint(pdf) {
  try {
    return execFileSync("pdftoppm", ["-r", "96", "-"], { input: pdf, maxBuffer: 1 << 29 });
  } catch (e) {
    if (e.code === "ENOENT") throw new Error("pdftoppm is not installed: scripts/test-deps.sh does it", { cause: e });
    throw e;
  }
}

const isBlank = ({ rgb }, i) => Math.min(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]) > 250;

/** The smallest frame of a chart. */
const [least, low] = [150, 80];

/** The frames on a sheet: what hangs together, is as large as a chart, and is in no other. */
export function framesOf(sheet) {
  const seen = new Uint8Array(sheet.width * sheet.height);
  const found = [];
  for (let i = 0; i < seen.length; i++) {
    if (seen[i] || isBlank(sheet, i)) continue;
    const frame = follow(sheet, i, seen);
    if (frame.width >= least && frame.height >= low) found.push(frame);
  }
  const holds = (a, b) => a !== b && a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;
  return found.filter((b) => !found.some((a) => holds(a, b)));
}

/** The bounds of what hangs together with a point. */
function follow(sheet, from, seen) {
  const { width, height } = sheet;
  const [edge, todo] = [{ left: width, right: 0, top: height, bottom: 0 }, [from]];
  seen[from] = 1;
  while (todo.length) {
    const i = todo.pop();
    const [x, y] = [i % width, Math.floor(i / width)];
    edge.left = Math.min(edge.left, x);
    edge.right = Math.max(edge.right, x);
    edge.top = Math.min(edge.top, y);
    edge.bottom = Math.max(edge.bottom, y);
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
        const n = ny * width + nx;
        if (seen[n] || isBlank(sheet, n)) continue;
        seen[n] = 1;
        todo.push(n);
      }
  }
  return { x: edge.left, y: edge.top, width: edge.right - edge.left + 1, height: edge.bottom - edge.top + 1 };
}

/** How many points of a part are strong: a line, an area or a number, not a frame or the ruling of a chart. */
export function inkIn({ width, rgb }, part) {
  let ink = 0;
  for (let y = part.y; y < part.y + part.height; y++)
    for (let x = part.x; x < part.x + part.width; x++) {
      const at = 3 * (y * width + x); // a view of each point would take longer than looking at it
      const [r, g, b] = [rgb[at], rgb[at + 1], rgb[at + 2]];
      if (Math.max(r, g, b) - Math.min(r, g, b) > 60) ink++;
    }
  return ink;
}

/** Where the first thing from the left is in a part of a sheet. */
export function firstIn(sheet, part) {
  for (let x = part.x; x < part.x + part.width; x++)
    for (let y = part.y; y < part.y + part.height; y++) if (!isBlank(sheet, y * sheet.width + x)) return x;
  return part.x + part.width;
}
