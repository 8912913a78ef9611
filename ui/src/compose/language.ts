import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

type State = { inMap: number; afterColon: boolean };

/** Colours for the composite language: names before a bracket, strings, keys, numbers. */
const composite = StreamLanguage.define<State>({
  name: "composite",
  startState: () => ({ inMap: 0, afterColon: false }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    const c = stream.peek() ?? "";
    if (c === '"' || c === "'") {
      stream.next();
      while (!stream.eol() && stream.next() !== c);
      return state.inMap > 0 && !state.afterColon ? "propertyName" : "string";
    }
    if (stream.match(/^\d+(\.\d+)?/)) return "number";
    if (stream.match(/^[a-z_][a-z_0-9]*(?=\()/i)) return "keyword";
    if (stream.match(/^[a-z_][a-z_0-9]*/i))
      return state.inMap > 0 && !state.afterColon ? "propertyName" : "variableName";
    stream.next();
    if (c === "{") state.inMap++;
    if (c === "}") state.inMap = Math.max(0, state.inMap - 1);
    if (c === ":") state.afterColon = true;
    if (c === "," || c === "{" || c === "}") state.afterColon = false;
    return "punctuation";
  },
  languageData: { closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--tm-code-fn)" },
  { tag: tags.string, color: "var(--tm-code-string)" },
  { tag: tags.number, color: "var(--tm-code-number)" },
  { tag: tags.propertyName, color: "var(--tm-code-key)" },
  { tag: tags.punctuation, color: "var(--tm-code-punct)" },
]);

const look = EditorView.theme({
  "&": {
    fontSize: "12.5px",
    backgroundColor: "var(--tm-sunken)",
    border: "1px solid var(--tm-line2)",
    borderRadius: "7px",
  },
  "&.cm-focused": { outline: "none", borderColor: "var(--tm-acc)", boxShadow: "0 0 0 3px var(--tm-acc-ring)" },
  ".cm-scroller": { fontFamily: "var(--tm-mono)", lineHeight: "22px", fontVariantLigatures: "none" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--tm-t1)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--tm-t3)", border: "none", paddingLeft: "10px" },
  ".cm-activeLineGutter, .cm-activeLine": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--tm-t1)", borderLeftWidth: "1.5px" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--tm-acc-ring) !important" },
  ".cm-matchingBracket": { backgroundColor: "var(--tm-acc-bg) !important", outline: "none" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--tm-red)",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    border: "none",
    borderRadius: "10px",
    backgroundColor: "var(--tm-float)",
    boxShadow: "var(--tm-shadow-lg)",
    color: "var(--tm-t1)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--tm-mono)",
    fontSize: "12.5px",
    padding: "4px",
    maxHeight: "260px",
    minWidth: "380px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    alignItems: "center",
    gap: "18px",
    minHeight: "28px",
    padding: "1px 10px",
    borderRadius: "6px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--tm-acc-bg)", color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--tm-acc)", fontWeight: "600" },
  ".cm-completionDetail": {
    marginLeft: "auto",
    fontStyle: "normal",
    fontFamily: "'Inter Variable', Inter, sans-serif",
    fontSize: "12px",
    color: "var(--tm-t3)",
  },
  ".cm-tooltip-lint": { padding: "4px 10px" },
});

export const language = [composite, syntaxHighlighting(colours), look];
