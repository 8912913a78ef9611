import type { ReactElement } from "react";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { vi } from "vitest";

/** What tests of components do: draw something, type, press, leave. */
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let roots: Root[] = [];

/** Draws something into a page of its own, to be drawn again. */
export function open(what: ReactElement): { box: HTMLElement; root: Root; again: (next: ReactElement) => void } {
  // Nothing is drawn here, so that nothing is out of sight.
  Element.prototype.checkVisibility ??= () => true;
  const box = document.createElement("div");
  document.body.append(box);
  const root = createRoot(box);
  roots.push(root);
  act(() => root.render(what));
  return { box, root, again: (next) => act(() => root.render(next)) };
}

export const render = (what: ReactElement): HTMLElement => open(what).box;

/** Takes away what was drawn. */
export function clear(): void {
  act(() => {
    for (const root of roots) root.unmount();
  });
  roots = [];
  document.body.replaceChildren();
}

/** Replaces the text of a field, as typing does. */
export function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  act(() => {
    field.focus();
    Object.getOwnPropertyDescriptor(proto, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

export const leave = (field: HTMLElement): void => act(() => field.blur());

export const press = (el: Element | null | undefined): void =>
  act(() => void el?.dispatchEvent(new MouseEvent("click", { bubbles: true })));

export const key = (el: Element, name: string): void =>
  act(() => void el.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })));

/** Sends a form, and waits for what becomes of it. */
export const submit = (form: HTMLFormElement): Promise<void> =>
  act(async () => {
    form.requestSubmit();
    await new Promise((done) => setTimeout(done, 5));
  });

/** Answers every request with this, and says which there were; vi.unstubAllGlobals ends it. */
export function answer(status: number, body: unknown): () => unknown[] {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, { method, body: sent }: RequestInit) => {
    asked.push([method, path, sent && JSON.parse(String(sent))]);
    return new Response(JSON.stringify(body), { status });
  });
  return () => asked;
}
