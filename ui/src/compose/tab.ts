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
    const [before, now] = [completionStatus(u.startState), completionStatus(u.state)];
    // Escape closed them: they are not wanted here.
    if (before === "active" && now === null && !u.docChanged && !u.selectionSet) vain = u.state.doc;
    if (!waiting) return;
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
  return [keymap.of([{ key: "Tab", run: tab }]), listen];
}
