import { useComputedColorScheme } from "@mantine/core";
import type { Scheme } from "./palette";

/** The theme that charts are drawn in; a canvas cannot follow CSS. */
export const useScheme = (): Scheme => useComputedColorScheme("light", { getInitialValueInEffect: false });
