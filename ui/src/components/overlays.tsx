import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";

/**
 * Dialogs and drawers come in a chunk of their own, loaded when the page is
 * idle: they are not part of the first load.
 */
const Impl = lazy(() => import("./overlays.impl"));

export type OverlayProps = {
  kind?: "modal" | "drawer";
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Small line above the title: where this belongs to. */
  above?: ReactNode;
  size?: number | string;
  /** Buttons at the bottom, always in sight. */
  footer?: ReactNode;
  /** A question over whatever else is open: Esc is for it alone. */
  front?: boolean;
  children: ReactNode;
};

export function Overlay(props: OverlayProps) {
  if (!props.opened) return null;
  return (
    <Suspense fallback={null}>
      <ReturnFocus />
      <Impl {...props} />
    </Suspense>
  );
}

/** Gives the focus back to what had it before the layer opened. */
export function ReturnFocus() {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const free = document.activeElement === null || document.activeElement === document.body;
      if (free && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
  return null;
}

export const Modal = (props: Omit<OverlayProps, "kind">) => <Overlay kind="modal" {...props} />;
/** A drawer with an address of its own: a full page on a phone. */
export const DrawerPage = (props: Omit<OverlayProps, "kind">) => <Overlay kind="drawer" {...props} />;

export function loadOverlays(): void {
  void import("./overlays.impl").catch(() => undefined); // who leaves at once stops it
}
