export const gapBetween = 14;
const moreWidth = 40;

/** How many of n things, of which the first have these widths, stand in two rows; extra is what follows them. */
export function twoRows(widths: number[], n: number, room: number, extra = 0): number {
  const fits = (list: number[]): boolean => {
    let [row, x] = [1, 0];
    for (const w of list) {
      if (x > 0 && x + gapBetween + w > room) {
        row++;
        x = 0;
      }
      x += (x > 0 ? gapBetween : 0) + Math.min(w, room);
    }
    return row <= 2;
  };
  const tail = extra > 0 ? [extra] : [];
  if (n <= widths.length && fits([...widths.slice(0, n), ...tail])) return n;
  let k = Math.min(n - 1, widths.length);
  while (k > 1 && !fits([...widths.slice(0, k), moreWidth, ...tail])) k--;
  return k;
}
