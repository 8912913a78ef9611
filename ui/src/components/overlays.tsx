import { lazy, type ReactNode, Suspense } from "react";

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
  children: ReactNode;
};

export function Overlay(props: OverlayProps) {
  return <Suspense fallback={null}>{props.opened ? <Impl {...props} /> : null}</Suspense>;
}

export const Modal = (props: Omit<OverlayProps, "kind">) => <Overlay kind="modal" {...props} />;
/** A drawer with an address of its own: a full page on a phone. */
export const DrawerPage = (props: Omit<OverlayProps, "kind">) => <Overlay kind="drawer" {...props} />;

export function loadOverlays(): void {
  void import("./overlays.impl");
}
