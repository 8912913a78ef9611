import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig(async ({ mode }) => ({
  plugins: [react(), ...(mode === "mock" ? [(await import("./dev/mock/plugin.ts")).mock()] : [])],
  build: {
    target: "es2022",
    manifest: true,
    // Small pictures and fonts stay files: the content policy has no data: for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // One chunk for what every page needs: it compresses better than a dozen.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "vendor", test: /node_modules\/(react|react-dom|scheduler|@tanstack)\// }] },
      },
    },
  },
  server: mode === "proxy" ? { proxy: { "/v1": "http://127.0.0.1:8433", "/ui/api": "http://127.0.0.1:8433" } } : {},
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"], environment: "node" },
}));
