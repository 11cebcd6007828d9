import { createRequire } from "node:module";

// Node 24 has no Temporal yet. Loaded at once and not awaited, so that `require` of this package works too.
if (!("Temporal" in globalThis)) createRequire(import.meta.url)("temporal-polyfill/global");
