import { defineConfig } from "vite";

/** The live page: `lib/ui/page` as the files that `lib/ui/page-server.ts` serves, also from the package. */
export default defineConfig({
  root: "lib/ui/page",
  base: "./",
  publicDir: false,
  build: {
    outDir: "../../../dist/lib/ui/page",
    emptyOutDir: true,
    target: "es2022",
    // The policy lets no data address in for scripts, and it is simpler without any.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
