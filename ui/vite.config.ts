import react from "@vitejs/plugin-react";
import type { HtmlTagDescriptor, Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { layered } from "./layers.ts";

/**
 * The script that asks for what a page needs runs ahead of all others, see
 * src/early.ts. What is largest is asked for first: browsers have few
 * connections, and small files would keep the line idle.
 */
const early: Plugin = {
  name: "early",
  transformIndexHtml: {
    order: "post",
    handler(_, { bundle = {} }): HtmlTagDescriptor[] {
      const chunks = Object.values(bundle).filter((c) => c.type === "chunk");
      const named = (name: string) => chunks.find((c) => c.name === name)?.fileName;
      const needs = ["react", "vendor", "first"].map((name) => ({
        tag: "link",
        attrs: { rel: "modulepreload", crossorigin: "", href: `./${named(name)}`, "data-part": name },
      }));
      const script = { tag: "script", attrs: { type: "module", crossorigin: "", src: `./${named("early")}` } };
      return named("early") ? [...needs, script] : []; // the development server has no bundle
    },
  },
};

/** Small things that nearly every page has: together they compress better than one by one. */
const parts = new RegExp(
  [
    "src/components/(controls|Pop|Menu|Page|LiveDot|Panel|Skeleton|Button|EmptyState|problems|RelativeTime)\\b",
    "src/components/(confirm|Failed|Mark|StillWorking|overlays)\\.tsx?$",
    "src/lib/(format|viewer|filters|search|text|nonce|whenQuiet|spare)\\b",
    "src/api/(client|streams|session|spaces|resource|query|batch)\\b",
    "src/(time/range|toasts/|shell/(usePhone|usePin|useSession|shortcuts|Sidebar|SignInAgain|Offline)|chart/(palette|useScheme))\\b",
    "icons/Icon(ChevronDown|ChevronRight|ChevronLeft|Clock|Plus|Star|X|Flag|Dots|AlertTriangle|Check|Search|Bell|BellRinging)\\.",
    "createReactComponent",
  ].join("|"),
);

export default defineConfig(async ({ mode }) => ({
  // Files find each other wherever the server is reached; it writes the addresses of index.html in full.
  base: "./",
  plugins: [react(), early, layered, ...(mode === "mock" ? [(await import("./dev/mock/plugin.ts")).mock()] : [])],
  // The browsers of our target have what this stands in for.
  resolve: { alias: { "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector" } },
  build: {
    target: "es2022",
    manifest: true,
    // Small pictures and fonts stay files: the content policy has no data: for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // Few chunks for what most pages need: they compress better than dozens.
    rolldownOptions: {
      input: { index: "index.html", early: "src/early.ts" },
      output: {
        // Every page has the names of all parts: hashes alone are half as long, and the manifest says what they are.
        chunkFileNames: "assets/[hash].js",
        assetFileNames: "assets/[hash][extname]",
        codeSplitting: {
          groups: [
            // What the first script shares with the others.
            {
              name: "first",
              test: /rolldown\/runtime|preload-helper|src\/(lib\/(org|prefix)|api\/early)\./,
              priority: 4,
            },
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
            // What few pages use of them comes with those pages.
            {
              name: "vendor",
              test: /node_modules\/@tanstack\/(?!.*\/(useBlocker|useInfiniteQuery|infiniteQueryObserver)\.)/,
              priority: 3,
            },
            { name: "parts", test: parts, priority: 2 },
            // Lists draw small lines of the same data, without a chart.
            {
              name: "data",
              test: /src\/(chart\/(data|slots|transform|merge)|api\/series|lib\/useSlow)\./,
              priority: 2,
            },
            // With what they need themselves: every page with a chart has all of it.
            {
              name: "charts",
              test: /src\/(chart\/(ChartView|useEvents)|panels\/links|components\/filter\/FilterBar|time\/(TimePicker|TimeContext))\./,
              priority: 1,
            },
            // What comes together is one file: on a slow line every file more is a wait.
            { name: "space", test: /src\/pages\/space\/SpaceView\./, priority: 1 },
            // What draws lines comes after what asks for them.
            { name: "lines", test: /src\/chart\/LineView\./ },
          ],
        },
      },
    },
  },
  server: mode === "proxy" ? { proxy: { "/v1": "http://127.0.0.1:8433", "/ui/api": "http://127.0.0.1:8433" } } : {},
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    environment: "node",
    // What a test changes it puts back, so files need no world of their own: that would be three quarters of the time.
    pool: "threads",
    isolate: false,
  },
}));
