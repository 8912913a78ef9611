import { acceptCompletion, completionStatus, startCompletion } from "@codemirror/autocomplete";
import type { Extension, Text } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { contextAt } from "./context";

/**
 * Tab takes the first suggestion, also when it is pressed before the
 * suggestions have come: then it waits for them. Where nothing can be
 * completed, and after Escape, Tab leaves the editor, as everywhere.
 */
export function tabCompletes(): Extension {
  let waiting = false;
  /** A text for which there were no suggestions. */
  let vain: Text | undefined;

  const tab = (view: EditorView): boolean => {
    if (acceptCompletion(view)) return true;
    const { doc, selection } = view.state;
    const at = contextAt(doc.toString(), selection.main.head);
    if (!at || doc === vain || (at.kind === "function" && at.text === "")) return false;
    waiting = true;
    if (completionStatus(view.state) === null) startCompletion(view);
    return true;
  };
  const listen = EditorView.updateListener.of((u) => {
    if (!waiting) return;
    const [before, now] = [completionStatus(u.startState), completionStatus(u.state)];
    if (u.docChanged) waiting = false;
    else if (now === "active") {
      waiting = false;
      // Changing the text is not allowed while an update is under way.
      queueMicrotask(() => acceptCompletion(u.view));
    } else if (now === null && before === "pending") {
      waiting = false;
      vain = u.state.doc;
    }
  });
  const leave = (view: EditorView): boolean => {
    waiting = false;
    vain = view.state.doc;
    return false; // others close the suggestions
  };
  const keys = [
    { key: "Tab", run: tab },
    { key: "Escape", run: leave },
  ];
  return [keymap.of(keys), listen];
}
