import { useShortcuts } from "./shortcuts";

/** j and k walk through the links of a list that have data-row; Enter opens, as links do. */
export function useRows(): void {
  const step = (by: number) => {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
  };
  useShortcuts([
    { keys: "j", label: "Next row", run: () => step(1) },
    { keys: "k", label: "Row before", run: () => step(-1) },
  ]);
}
