// Makes screenshots small: a PNG with a palette of 256 colours, a third of the
// size of one without. Reads what browsers write: eight bits, not interlaced.
import { deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const most = 256;

/** The same picture with a palette. */
export function withPalette(png) {
  const { width, height, pixels } = read(png);
  const counts = count(pixels);
  const palette = choose(counts);
  const index = new Map([...counts.keys()].map((c) => [c, nearest(palette, c)]));
  const rows = Buffer.alloc(height * (width + 1)); // each row begins with its filter: none
  for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = index.get(pixels[i++]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]));
  return Buffer.concat([signature, chunk("IHDR", head), chunk("PLTE", colours), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

/** How often each colour is there; runs of one colour are counted at once. */
function count(pixels) {
  const counts = new Map();
  for (let i = 0, end = 0; i < pixels.length; i = end) {
    while (end < pixels.length && pixels[end] === pixels[i]) end++;
    counts.set(pixels[i], (counts.get(pixels[i]) ?? 0) + end - i);
  }
  return counts;
}

/** The pixels of a PNG as 24-bit colours. */
function read(png) {
  const parts = [];
  let head;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") head = data;
    if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const [width, height, depth, kind, interlaced] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9], head[12]];
  const bytes = { 2: 3, 6: 4 }[kind];
  if (depth !== 8 || !bytes || interlaced) throw new Error(`a PNG of kind ${kind} with ${depth} bits is not read`);
  const rows = unfilter(inflateSync(Buffer.concat(parts)), width * bytes, height, bytes);
  const pixels = new Uint32Array(width * height);
  for (let i = 0, at = 0; i < pixels.length; i++, at += bytes) pixels[i] = (rows[at] << 16) | (rows[at + 1] << 8) | rows[at + 2];
  return { width, height, pixels };
}

/** Undoes the filters of rows, as section 9 of the PNG specification has them. */
function unfilter(data, length, height, bytes) {
  const out = Buffer.alloc(length * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (length + 1)];
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x >= bytes ? out[at - bytes] : 0;
      const up = y > 0 ? out[at - length] : 0;
      const corner = x >= bytes && y > 0 ? out[at - length - bytes] : 0;
      out[at] = data[y * (length + 1) + 1 + x] + guess(filter, left, up, corner);
    }
  }
  return out;
}

function guess(filter, left, up, corner) {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Rarer colours than these are nowhere near a whole letter. */
const considered = 4000;

/** The colours to keep: half of them as they are, by how much of the picture they are; the rest so that none is far. */
function choose(counts) {
  const byCount = [...counts].sort((a, b) => b[1] - a[1]);
  const kept = byCount.slice(0, byCount.length <= most ? most : most / 2).map(([c]) => c);
  const rest = byCount.slice(kept.length, considered);
  const far = Float64Array.from(rest, ([c, n]) => distance(c, kept[nearest(kept, c)]) * Math.sqrt(n));
  while (kept.length < most && kept.length < byCount.length) {
    let worst = 0;
    for (let i = 1; i < far.length; i++) if (far[i] > far[worst]) worst = i;
    const [taken] = rest[worst];
    kept.push(taken);
    for (let i = 0; i < far.length; i++) far[i] = Math.min(far[i], distance(rest[i][0], taken) * Math.sqrt(rest[i][1]));
  }
  return kept;
}

function distance(a, b) {
  const [r, g, bl] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return 2 * r * r + 4 * g * g + 3 * bl * bl; // as eyes weigh them
}

function nearest(palette, colour) {
  let [best, at] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < palette.length && best > 0; i++) {
    const d = distance(palette[i], colour);
    if (d < best) [best, at] = [d, i];
  }
  return at;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  let crc = 0xffffffff;
  for (const b of body) crc = table[(crc ^ b) & 255] ^ (crc >>> 8);
  const [length, end] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  end.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([length, body, end]);
}
