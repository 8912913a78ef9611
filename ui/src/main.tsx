import "./styles/fonts.css";
import "./styles/vars.css";
import "./styles/base.css";
import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client";
import { sessionQuery } from "./api/session";
import { startFonts } from "./lib/fonts";
import { resolveAddress, showOrg, splitOrg } from "./lib/org";
import { withoutPrefix, withPrefix } from "./lib/prefix";
import { startScheme } from "./lib/scheme";
import { together } from "./lib/together";
import { makeRouter } from "./routes";

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
notifyManager.setScheduler(together());
const target = document.getElementById("root");

/** Finds out whose pages this tab shows; without a session that is not known yet. */
async function enterOrg(): Promise<void> {
  const { search, hash } = window.location;
  const pathname = withoutPrefix(window.location.pathname);
  const last = async () => (await client.fetchQuery(sessionQuery)).org.id;
  const path = await resolveAddress(pathname, last).catch(() => pathname);
  if (path !== pathname) window.history.replaceState(null, "", withPrefix(path) + search + hash);
  showOrg(splitOrg(path).org);
}

startScheme();
startFonts();
await enterOrg();
if (target) {
  const router = makeRouter(client);
  createRoot(target).render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
