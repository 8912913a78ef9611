import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  insertBracket,
  startCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from "@codemirror/view";
import { useQueryClient } from "@tanstack/react-query";
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { functions } from "../api/compose";
import { metrics, tags } from "../api/metrics";
import type { ComposeFunction, QueryError } from "../api/ui.gen";
import { count, value as written } from "../lib/format";
import { nonce } from "../lib/nonce";
import { type Context, contextAt, optionsOf } from "./context";
import { Echoes } from "./echoes";
import { language } from "./language";
import { replacesSelection } from "./replace";
import { tabCompletes } from "./tab";

type Props = {
  value: string;
  onChange: (text: string) => void;
  error?: QueryError | undefined;
  onFormat?: () => void;
  onRun?: () => void;
  placeholder?: string;
  autoFocus?: boolean;
  label?: string;
  ref?: Ref<EditorHandle>;
};

/** What others can do to the text: write a call where the cursor is. */
export type EditorHandle = { insert: (name: string) => void };

const fromOutside = Annotation.define<boolean>();

/** The composite editor: colours, completion, and errors underlined where they are. */
export default function Editor({
  value,
  onChange,
  error,
  onFormat,
  onRun,
  placeholder,
  autoFocus = false,
  label = "Composite",
  ref,
}: Props) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const client = useQueryClient();
  const echoes = useRef(new Echoes());
  const latest = useRef({ onChange, onFormat, onRun });
  latest.current = { onChange, onFormat, onRun };

  // Before anything is painted: an empty box would let what is below move up and down again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for its lifetime; the text is brought in below
  useLayoutEffect(() => {
    if (!box.current) return;
    const made = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(nonce()),
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          EditorView.lineWrapping,
          placeholderText(placeholder ?? 'sum(s("metric", {"tag":"value"}))'),
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
          language,
          autocompletion({
            override: [(c) => complete(c, client)],
            activateOnTyping: true,
            icons: false,
            interactionDelay: 0,
          }),
          replacesSelection(),
          tabCompletes(),
          keymap.of([
            { key: "Ctrl-Space", run: startCompletion },
            { key: "Alt-Shift-f", run: () => run(latest.current.onFormat) },
            { key: "Mod-Enter", run: () => run(latest.current.onRun) },
            ...closeBracketsKeymap,
            ...completionKeymap,
            { key: "Mod-]", run: indentMore },
            { key: "Mod-[", run: indentLess },
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.updateListener.of((u) => {
            if (!u.docChanged || u.transactions.some((t) => t.annotation(fromOutside))) return;
            const text = u.state.doc.toString();
            echoes.current.report(text);
            latest.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = made;
    void client.prefetchQuery(functions);
    if (autoFocus) made.focus();
    return () => made.destroy();
  }, []);

  useImperativeHandle(ref, () => ({
    insert(name) {
      const v = view.current;
      if (!v) return;
      const { from, to } = v.state.selection.main;
      v.focus();
      call(v, { label: name }, from, to);
    },
  }));

  useEffect(() => {
    const v = view.current;
    if (!v || !echoes.current.replaces(value, v.state.doc.toString())) return;
    v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: value }, annotations: fromOutside.of(true) });
  }, [value]);

  useEffect(() => {
    const v = view.current;
    if (!v) return;
    const end = v.state.doc.length;
    const from = Math.min(error?.offset ?? 0, end);
    const to = Math.min(end, Math.max(from + 1, from + (error?.length ?? 0)));
    v.dispatch(
      setDiagnostics(
        v.state,
        error ? [{ from: Math.min(from, to), to, severity: "error", message: error.message }] : [],
      ),
    );
  }, [error]);

  return <div ref={box} />;
}

function run(act: (() => void) | undefined): boolean {
  act?.();
  return act !== undefined;
}

/** Writes a call with both brackets; the closing one is written over by whoever types it. */
function call(view: EditorView, { label }: Completion, from: number, to: number): void {
  view.dispatch({ changes: { from, to, insert: label }, selection: { anchor: from + label.length } });
  const open = view.state.sliceDoc(from + label.length, from + label.length + 1) === "(";
  const brackets = !open && insertBracket(view.state, "(");
  if (brackets) view.dispatch(brackets);
  else
    view.dispatch({
      ...(!open && { changes: { from: from + label.length, insert: "(" } }),
      selection: { anchor: from + label.length + 1 },
    });
}

type Client = ReturnType<typeof useQueryClient>;

/**
 * Functions are known as a rule and suggested at once: somebody who types
 * fast and presses Tab must not be ahead of the suggestions.
 */
function complete(c: CompletionContext, client: Client) {
  const at = contextAt(c.state.doc.toString(), c.pos);
  if (!at) return null;
  if (at.kind !== "function") return ask(at, client);
  if (at.text === "" && !c.explicit) return null;
  const list = ({ functions: known }: { functions: ComposeFunction[] }): CompletionResult => ({
    from: at.from,
    // Of those that begin alike the shorter one first: "su" is sum before subtract.
    options: known.map((f) => ({
      label: f.name,
      apply: call,
      detail: f.help,
      info: f.signature,
      boost: -f.name.length,
    })),
    validFor: /^[a-z_]*$/i,
  });
  const cached = client.getQueryData(functions.queryKey);
  return cached ? list(cached) : client.fetchQuery(functions).then(list);
}

type Asked = Exclude<NonNullable<Context>, { kind: "function" }>;

/** Suggestions that the server is asked for. */
async function ask(at: Asked, client: Client): Promise<CompletionResult> {
  switch (at.kind) {
    case "metric": {
      const found = await client.fetchQuery(metrics.search(at.text, 0, 50));
      return {
        from: at.from,
        options: found.metrics.map((m) => ({
          label: m.name,
          detail: `${m.type}, ${count(m.streams, "stream")}   ${written(m.last_value, m.units)}`,
        })),
        filter: false,
      };
    }
    case "tag": {
      const found = await client.fetchQuery(tags.names(at.metric ? [at.metric] : []));
      const quote = (name: string) => (at.quoted ? name : `"${name}":"`);
      return {
        from: at.from,
        options: found.tags.map((t) => ({ label: t.name, apply: quote(t.name), detail: count(t.values, "value") })),
      };
    }
    case "value": {
      const found = await client.fetchQuery(tags.values([at.metric], at.tag, at.text.replace(/[*!%]/g, "")));
      const all = [
        { label: "*", detail: "has the tag" },
        { label: "%", detail: "from the space's filter" },
      ];
      return {
        from: at.from,
        options: [...found.values.map((v) => ({ label: v.value, detail: count(v.streams, "stream") })), ...all],
      };
    }
    case "option":
      return { from: at.from, options: (optionsOf[at.fn] ?? []).map((o) => ({ label: o, apply: `${o}:"` })) };
  }
}
