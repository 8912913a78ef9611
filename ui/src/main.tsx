import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import "./styles/fonts.css";
import "./styles/vars.css";
import "./styles/base.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client";
import { makeRouter } from "./routes";
import { theme } from "./theme";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused will be refused again; what did not arrive is tried with growing pauses.
      retry: (n, err) => n < 4 && (!(err instanceof ApiError) || err.status === 0 || err.status >= 500),
      retryDelay: (n) => Math.min(15_000, 500 * 2 ** n),
      refetchOnWindowFocus: false,
      // The server may be near while the browser calls itself offline.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
const router = makeRouter(client);
const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
const target = document.getElementById("root");
// What locks scrolling under dialogs writes a style tag and looks for the nonce here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();

// The theme's variables are written by the provider, all of them: Mantine's sheet of defaults would be 4 KB for nothing.
if (target) {
  createRoot(target).render(
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
      withGlobalClasses={false}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
