import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/**
 * Text that replaces a selection is put in by the editor itself. Left to the
 * browser, lines that flow together keep their look in style attributes, which
 * the content policy refuses and reports.
 */
export function replacesSelection(): Extension {
  return EditorView.domEventHandlers({
    beforeinput(e, view) {
      const { from, to, empty } = view.state.selection.main;
      const text = e.data;
      if (e.inputType !== "insertText" || e.isComposing || text === null || empty) return false;
      const insert = () =>
        view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
      e.preventDefault();
      // Brackets put around what is selected, for one.
      const taken = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
      if (!taken) view.dispatch(insert());
      return true;
    },
  });
}
