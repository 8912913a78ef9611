import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import { MantineContext, MantineProvider } from "@mantine/core";
import { type ComponentType, type ReactNode, useContext } from "react";
import { useScheme } from "../chart/useScheme";
import { nonce } from "../lib/nonce";
import { theme } from "../theme";

/** Where Mantine's parts are used. They are not part of the first load, and neither is what they stand on. */
export function InMantine({ children }: { children: ReactNode }) {
  const inside = useContext(MantineContext) !== null;
  const scheme = useScheme();
  if (inside) return children;
  // The theme's variables are written here, all of them: Mantine's sheet of defaults would be 4 KB for nothing.
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      getStyleNonce={nonce}
      withGlobalClasses={false}
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  );
}

/** A page that uses them. */
export const inMantine = (Page: ComponentType) =>
  function PageInMantine() {
    return (
      <InMantine>
        <Page />
      </InMantine>
    );
  };
