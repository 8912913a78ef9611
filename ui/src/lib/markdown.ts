import { linkProblem, ownPath } from "./link";

/** A run of text within a line. */
export type Run = { kind: "text" | "bold" | "code"; text: string } | { kind: "link"; text: string; href: string };
/** A part of a text that stands by itself. */
export type Block =
  | { kind: "text" | "head"; lines: Run[][] }
  | { kind: "list"; numbered: boolean; items: Run[][] }
  | { kind: "code"; text: string };

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/g;

/** The runs of a line: bold, code, links. Addresses that cannot be followed stay text. */
export function runsOf(line: string): Run[] {
  const out: Run[] = [];
  let from = 0;
  for (const m of line.matchAll(marks)) {
    if (m.index > from) out.push({ kind: "text", text: line.slice(from, m.index) });
    out.push(runOf(m));
    from = m.index + m[0].length;
  }
  if (from < line.length) out.push({ kind: "text", text: line.slice(from) });
  return out;
}

function runOf([whole, code, bold, text, href, address]: RegExpExecArray): Run {
  if (code) return { kind: "code", text: code };
  if (bold) return { kind: "bold", text: bold };
  const to = href ?? address ?? "";
  const follows = to.startsWith("/") ? ownPath(to) === to : linkProblem(to) === undefined;
  return follows ? { kind: "link", text: text ?? to, href: to } : { kind: "text", text: whole };
}

const item = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const fence = /^\s*```/;

/** The little of Markdown that notes need: paragraphs, headings, lists, code. Never HTML. */
export function blocksOf(text: string): Block[] {
  const out: Block[] = [];
  const lines = text.replace(/\r/g, "").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (fence.test(line)) {
      const end = lines.findIndex((l, n) => n > i && fence.test(l));
      const last = end < 0 ? lines.length : end;
      out.push({ kind: "code", text: lines.slice(i + 1, last).join("\n") });
      i = last;
    } else add(out, line, lines[i - 1] ?? "");
  }
  return out;
}

/** Puts a line to what it goes on with, or begins something new. */
function add(out: Block[], line: string, before: string): void {
  if (line.trim() === "") return;
  const last = before.trim() === "" ? undefined : out.at(-1);
  const head = /^#{1,6}\s+(.*)$/.exec(line);
  const listed = item.exec(line);
  if (head) out.push({ kind: "head", lines: [runsOf(head[1] ?? "")] });
  else if (listed) {
    const numbered = listed[1] !== undefined;
    const list = out.at(-1);
    if (list?.kind === "list" && list.numbered === numbered) list.items.push(runsOf(listed[2] ?? ""));
    else out.push({ kind: "list", numbered, items: [runsOf(listed[2] ?? "")] });
  } else if (last?.kind === "text") last.lines.push(runsOf(line));
  else out.push({ kind: "text", lines: [runsOf(line)] });
}
