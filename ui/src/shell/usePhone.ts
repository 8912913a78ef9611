import { useSyncExternalStore } from "react";

const query = typeof matchMedia === "undefined" ? undefined : matchMedia("(max-width: 767px)");

/** Whether the window is as narrow as a phone's. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      query?.addEventListener("change", listener);
      return () => query?.removeEventListener("change", listener);
    },
    () => query?.matches ?? false,
  );
