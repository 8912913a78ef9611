/** Where words of a search occur in a text, as runs: [text, isMatch]. */
export function highlight(text: string, q: string): [string, boolean][] {
  const words = q
    .toLowerCase()
    .split(/[\s*]+/)
    .filter(Boolean);
  const marks = new Array<boolean>(text.length).fill(false);
  const lower = text.toLowerCase();
  for (const w of words) {
    const at = lower.indexOf(w);
    if (at >= 0) marks.fill(true, at, at + w.length);
  }
  const runs: [string, boolean][] = [];
  for (let i = 0; i < text.length; i++) {
    const last = runs[runs.length - 1];
    if (last && last[1] === marks[i]) last[0] += text[i];
    else runs.push([text[i] ?? "", marks[i] ?? false]);
  }
  return runs;
}

/** Rows as CSV; cells that need it are quoted, formulas are disarmed. */
export function csv(rows: (string | number | null)[][]): string {
  const cell = (c: string | number | null) => {
    if (c === null) return "";
    if (typeof c === "number") return String(c);
    const safe = /^[=+\-@\t]/.test(c) ? `'${c}` : c;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `${rows.map((r) => r.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Gives the browser a file to keep. */
export function download(name: string, content: Blob | string, type = "text/plain"): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

/** A name made fit for a file. */
export const fileName = (name: string, ext: string) =>
  `${
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "tidemark"
  }.${ext}`;
