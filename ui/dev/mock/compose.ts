import { answer } from "./series.ts";

export const functions = [
  ["abs", "abs(set)", "Absolute value of each series"],
  ["bottom", "bottom(set, {count, function})", "The series with the lowest values"],
  ["ceiling", "ceiling(set)", "Rounds up"],
  ["derive", "derive(set, {detect_reset})", "Difference to the previous point"],
  ["divide", "divide([a, b])", "First series divided by the second"],
  ["fill", "fill(set, {value})", "Fills missing steps"],
  ["filter", "filter(set, {gt, lt, function})", "Keeps series within bounds"],
  ["floor", "floor(set)", "Rounds down"],
  ["group_by", 'group_by("tag", expr)', "Runs the expression once per tag value"],
  ["integrate", "integrate(set)", "Running sum over the range"],
  ["last_fill", "last_fill(set)", "Fills missing steps with the last value"],
  ["max", "max(set)", "Largest value at each time"],
  ["mean", "mean(set)", "Mean at each time"],
  ["min", "min(set)", "Smallest value at each time"],
  ["moving_average", "moving_average(set, {size})", "Mean over the last points"],
  ["multiply", "multiply(set)", "Product of the series"],
  ["rate", "rate(set, {duration})", "Value per time"],
  ["s", 's("metric", {tag: "value"}, {function, period})', "The streams of a metric"],
  ["scale", "scale(set, {factor})", "Multiplies by a factor"],
  ["series", 'series("metric", {tag: "value"})', "The streams of a metric"],
  ["subtract", "subtract([a, b])", "First series minus the second"],
  ["sum", "sum(set)", "Sum at each time"],
  ["timeshift", 'timeshift("1w", expr)', "The same, earlier"],
  ["top", "top(set, {count, function})", "The series with the highest values"],
  ["window", "window(set, {size, function})", "A function over the last points"],
  ["zero_fill", "zero_fill(set)", "Fills missing steps with 0"],
].map(([name, signature, help]) => ({
  name: name ?? "",
  signature: signature ?? "",
  help: help ?? "",
  options: [],
  ours: false,
}));

const near = (a: string, b: string) => {
  if (Math.abs(a.length - b.length) > 1) return false;
  let [i, j, off] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      i++;
      j++;
    } else {
      off++;
      if (a.length >= b.length) i++;
      if (b.length >= a.length) j++;
    }
  }
  return off + (a.length - i) + (b.length - j) <= 1;
};

export function check(text: string) {
  for (const m of text.matchAll(/([a-z_]+)\(/g)) {
    const name = m[1] ?? "";
    if (functions.some((f) => f.name === name)) continue;
    const suggestion = functions.find((f) => near(f.name, name))?.name;
    return {
      message: `there is no function ${name}`,
      offset: m.index,
      length: name.length,
      ...(suggestion && { suggestion }),
    };
  }
  const [open, close] = [text.split("(").length, text.split(")").length];
  if (open !== close)
    return {
      message: open > close ? "a ) is missing" : "there is a ) too many",
      offset: Math.max(0, text.length - 1),
      length: 1,
    };
  if (!/\b(s|series)\(/.test(text))
    return { message: "an expression needs at least one s()", offset: 0, length: text.length };
  return undefined;
}

export function evaluate(id: string, text: string, start: number, end: number, step: number) {
  const error = check(text);
  if (error) return { id, series: [], streams: 0, error };
  const names = [...text.matchAll(/\bs(?:eries)?\(\s*"([^"]+)"/g)].map((m) => m[1] ?? "");
  const parts = names.map(
    (metric) =>
      answer(
        { id, metric, group_function: "mean", group_by: /group_by\("([^"]+)"/.exec(text)?.[1]?.split(",") ?? [] },
        [],
        start,
        end,
        step,
      ).series,
  );
  const factor = Number(/factor:\s*"(\d+)"/.exec(text)?.[1] ?? 1);
  const first = parts[0] ?? [];
  if (text.includes("divide(") && parts[1]) {
    const under = parts[1];
    return {
      id,
      streams: first.length,
      series: first.map((s, i) => ({
        tags: s.tags,
        times: s.times,
        values: s.values.map((v, j) => (v / (under[i]?.values[j] || 1)) * factor),
      })),
    };
  }
  return {
    id,
    streams: first.length,
    series: parts.flat().map((s) => ({ ...s, values: s.values.map((v) => v * factor) })),
  };
}
