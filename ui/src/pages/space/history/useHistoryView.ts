import { useNavigate, useSearch } from "@tanstack/react-router";
import { useShortcuts } from "../../../shell/shortcuts";
import type { Saves } from "./useSaves";

/** How two versions are shown; before and after are for phones, one at a time. */
export type View = "side" | "overlay" | "text" | "before" | "after";
const views: View[] = ["side", "overlay", "text", "before", "after"];

/** How a history is looked at, in the address, and the keys that change it. */
export function useHistoryView(id: number, { saves, chosen }: Saves, phone: boolean) {
  const { view: asked } = useSearch({ strict: false }) as { view?: string };
  const navigate = useNavigate();
  const usual: View = phone ? "after" : "side";
  const view = views.find((v) => v === asked) ?? usual;
  const params = { id: String(id) };
  const search = (old: object) => ({ ...old, view: undefined });
  const setView = (v: View) =>
    void navigate({
      to: ".",
      search: (old: object) => ({ ...old, view: v === usual ? undefined : v }),
      replace: true,
      resetScroll: false,
    } as never);
  const step = (by: number) => {
    const next = chosen && saves[saves.indexOf(chosen) + by];
    if (!next) return;
    void navigate({
      to: "/spaces/$id/history/$save",
      params: { ...params, save: String(next.version.number) },
      search: (old: object) => old,
      replace: true,
      resetScroll: false,
    } as never);
  };
  const close = () => void navigate({ to: "/spaces/$id", params, search } as never);
  useShortcuts([
    { keys: "j", label: "The save before", run: () => step(1) },
    { keys: "k", label: "The save after", run: () => step(-1) },
    { keys: "s", label: "Side by side", run: () => setView("side") },
    { keys: "o", label: "Overlay", run: () => setView("overlay") },
    { keys: "t", label: "As text", run: () => setView("text") },
    { keys: "Escape", label: "Back to the space", run: close },
  ]);
  return {
    view,
    setView,
    close,
    toLatest: () =>
      void navigate({ to: "/spaces/$id/history", params, search: (old: object) => old, resetScroll: false } as never),
  };
}
