/** QR codes (ISO/IEC 18004) of short texts: bytes, error correction M, versions 1 to 15. */

/** Codewords for error correction in each block, and blocks, by version. */
const correction = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24];
const blockCount = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];

/** The field of 256 elements in which the correction is computed. */
const exp = new Uint8Array(510);
const log = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  exp[i] = x;
  exp[i + 255] = x;
  log[x] = i;
  x = x & 128 ? (x << 1) ^ 0x11d : x << 1;
}
const times = (a: number, b: number) => (a && b ? (exp[(log[a] ?? 0) + (log[b] ?? 0)] ?? 0) : 0);

/** The remainder of data divided by the polynomial of a degree: its correction. */
function remainder(data: number[], degree: number): number[] {
  let divisor = [1];
  for (let i = 0; i < degree; i++) {
    const next = [...divisor, 0];
    divisor.forEach((c, k) => {
      next[k + 1] = (next[k + 1] ?? 0) ^ times(c, exp[i] ?? 0);
    });
    divisor = next;
  }
  const rest = [...data, ...new Array<number>(degree).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i] ?? 0;
    divisor.forEach((c, k) => {
      rest[i + k] = (rest[i + k] ?? 0) ^ times(c, factor);
    });
  }
  return rest.slice(data.length);
}

const sizeOf = (version: number) => 17 + 4 * version;

/** Where the small squares stand, on both axes. */
function alignments(version: number): number[] {
  if (version === 1) return [];
  const n = Math.floor(version / 7) + 2;
  const step = Math.ceil((4 * version + 4) / (2 * n - 2)) * 2;
  const last = sizeOf(version) - 7;
  return [6, ...Array.from({ length: n - 1 }, (_, i) => last - (n - 2 - i) * step)];
}

/** How many codewords a version holds, correction included. */
function capacity(version: number): number {
  const n = alignments(version).length;
  const squares = n ? 25 * (n * n - 3) - 10 * (n - 2) : 0;
  const frame = 3 * 64 + 2 * 15 + 1 + 2 * (sizeOf(version) - 16) + (version >= 7 ? 36 : 0);
  return Math.floor((sizeOf(version) ** 2 - frame - squares) / 8);
}

/** The text in codewords: mode, length, bytes, padding. */
function encode(bytes: Uint8Array, version: number, room: number): number[] {
  const bits: number[] = [];
  const put = (value: number, n: number) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const b of bytes) put(b, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((sum, b) => 2 * sum + b, 0),
  );
  for (let pad = 0xec; words.length < room; pad ^= 0xfd) words.push(pad);
  return words;
}

/** Data and correction in the order in which they are drawn. */
function interleaved(words: number[], version: number): number[] {
  const blocks = blockCount[version - 1] ?? 1;
  const degree = correction[version - 1] ?? 10;
  const short = Math.floor(words.length / blocks);
  const long = words.length % blocks;
  const data: number[][] = [];
  for (let i = 0, at = 0; i < blocks; i++) {
    const n = short + (i >= blocks - long ? 1 : 0);
    data.push(words.slice(at, at + n));
    at += n;
  }
  const checks = data.map((d) => remainder(d, degree));
  const column = (lists: number[][], i: number) => lists.flatMap((l) => (i < l.length ? [l[i] ?? 0] : []));
  return [
    ...Array.from({ length: short + 1 }, (_, i) => column(data, i)).flat(),
    ...Array.from({ length: degree }, (_, i) => column(checks, i)).flat(),
  ];
}

/** A value with the remainder that says whether it was read rightly. */
function withCheck(value: number, bits: number, polynomial: number): number {
  let rest = value << bits;
  for (let i = 31 - Math.clz32(rest); i >= bits; i = 31 - Math.clz32(rest)) rest ^= polynomial << (i - bits);
  return (value << bits) | rest;
}

type Cells = (boolean | undefined)[][];

/** What every code of a version has: three eyes, small squares, rulers, and room for the format. */
function frame(version: number): Cells {
  const size = sizeOf(version);
  const cells: Cells = Array.from({ length: size }, () => new Array<boolean | undefined>(size).fill(undefined));
  const set = (x: number, y: number, dark: boolean) => {
    const row = cells[y];
    if (row && x >= 0 && x < size) row[x] = dark;
  };
  const square = (cx: number, cy: number, reach: number, light: number[]) => {
    for (let y = -reach; y <= reach; y++)
      for (let x = -reach; x <= reach; x++) set(cx + x, cy + y, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 0; i < size; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  const places = alignments(version);
  for (const y of places)
    for (const x of places) {
      const eye = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
      if (!eye) square(x, y, 2, [1]);
    }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, [2, 4]);
  format(cells, 0);
  if (version >= 7) {
    const bits = withCheck(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >> i) & 1) === 1;
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      set(a, b, dark);
      set(b, a, dark);
    }
  }
  return cells;
}

/** Writes which correction and which mask a code has, twice. */
function format(cells: Cells, mask: number): void {
  const size = cells.length;
  const bits = (mask === 0 ? 0 : withCheck(mask, 10, 0x537)) ^ 0x5412; // the bits of correction M are 00
  for (let i = 0; i < 15; i++) {
    const dark = ((bits >> i) & 1) === 1;
    const put = (x: number, y: number) => {
      const row = cells[y];
      if (row) row[x] = dark;
    };
    put(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i);
    put(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8);
  }
  const row = cells[size - 8];
  if (row) row[8] = true;
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Fills what the frame leaves free, in columns of two from the right, up and down. */
function draw(version: number, words: number[], mask: number): boolean[][] {
  const cells = frame(version);
  const size = cells.length;
  const inverts = masks[mask] ?? (() => false);
  let at = 0;
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++) {
      const y = up ? size - 1 - i : i;
      for (const x of [right, right - 1]) {
        const row = cells[y];
        if (!row || row[x] !== undefined) continue;
        const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        row[x] = (bit === 1) !== inverts(x, y);
        at++;
      }
    }
  }
  format(cells, mask);
  return cells.map((row) => row.map((c) => c === true));
}

/** How hard a code is to read: long runs and squares of one colour. */
function penalty(cells: boolean[][]): number {
  let sum = 0;
  const size = cells.length;
  const dark = (x: number, y: number) => cells[y]?.[x] === true;
  for (const at of [dark, (x: number, y: number) => dark(y, x)])
    for (let y = 0; y < size; y++)
      for (let x = 1, run = 1; x <= size; x++) {
        if (x < size && at(x, y) === at(x - 1, y)) run++;
        else {
          if (run >= 5) sum += run - 2;
          run = 1;
        }
      }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const n = Number(dark(x, y)) + Number(dark(x - 1, y)) + Number(dark(x, y - 1)) + Number(dark(x - 1, y - 1));
      if (n === 0 || n === 4) sum += 3;
    }
  return sum;
}

/** The code of a text, row by row; true is dark. Nothing where the text is too long. */
export function qr(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= correction.length; version++) {
    const room = capacity(version) - (blockCount[version - 1] ?? 1) * (correction[version - 1] ?? 0);
    if (bytes.length > room - (version < 10 ? 2 : 3)) continue;
    const words = interleaved(encode(bytes, version, room), version);
    const drawn = masks.map((_, m) => draw(version, words, m));
    return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
  }
  return undefined;
}

/** The dark cells of a code as one path of SVG, a unit each. */
export const path = (cells: boolean[][]): string =>
  cells.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
