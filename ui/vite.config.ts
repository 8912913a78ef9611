import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Small things that nearly every page has: together they compress better than one by one. */
const parts = new RegExp(
  [
    "src/components/(controls|Pop|Menu|Page|LiveDot|Panel|Skeleton|Button|EmptyState|problems|RelativeTime)\\b",
    "src/lib/(format|viewer|filters|search|text)\\b",
    "src/api/(client|session|spaces|resource|query|batch)\\b",
    "src/(time/range|toasts/|shell/(usePhone|useSession|shortcuts)|chart/(palette|useScheme))\\b",
    "icons/Icon(ChevronDown|ChevronRight|ChevronLeft|Clock|Plus|Star|X|Flag|Dots|AlertTriangle|Check|Search|Bell|BellRinging)\\.",
    "createReactComponent",
  ].join("|"),
);

export default defineConfig(async ({ mode }) => ({
  // Files find each other wherever the server is reached; it writes the addresses of index.html in full.
  base: "./",
  plugins: [react(), ...(mode === "mock" ? [(await import("./dev/mock/plugin.ts")).mock()] : [])],
  build: {
    target: "es2022",
    manifest: true,
    // Small pictures and fonts stay files: the content policy has no data: for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // Few chunks for what most pages need: they compress better than dozens.
    rolldownOptions: {
      output: {
        // Every page has the names of all parts: hashes alone are half as long, and the manifest says what they are.
        chunkFileNames: "assets/[hash].js",
        assetFileNames: "assets/[hash][extname]",
        codeSplitting: {
          groups: [
            // What few pages use of them comes with those pages.
            {
              name: "vendor",
              test: /node_modules\/(react|react-dom|scheduler|@tanstack)\/(?!.*\/(useBlocker|useInfiniteQuery|infiniteQueryObserver)\.)/,
              priority: 3,
            },
            { name: "parts", test: parts, priority: 2 },
            // Lists draw small lines of the same data, without a chart.
            { name: "data", test: /src\/(chart\/(data|slots|transform|merge)|api\/series|lib\/slow)\./, priority: 2 },
            // With what they need themselves: every page with a chart has all of it.
            {
              name: "charts",
              test: /src\/(chart\/(ChartView|useEvents)|time\/(TimePicker|TimeContext))\./,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: mode === "proxy" ? { proxy: { "/v1": "http://127.0.0.1:8433", "/ui/api": "http://127.0.0.1:8433" } } : {},
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"], environment: "node" },
}));
