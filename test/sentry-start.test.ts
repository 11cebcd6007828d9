import { test } from "node:test";
import { child } from "./child.ts";
import { bin } from "./walk-book.ts";

// Not a dependency, so its name is no literal.
const name: string = "@sentry/node";
const isInstalled = await import(name).then(
  () => true,
  () => false,
);

test(
  "Sentry 선택적 기능: a missing package says what to install, and the daemon starts",
  { timeout: 60_000, skip: isInstalled && "@sentry/node is installed" },
  async (t) => {
    const env = { DAYBOOK_SENTRY_DSN: "http://key@127.0.0.1:9/1" };
    const daemon = child(t, bin, ["start"], env);
    await daemon.line(/^warning: DAYBOOK_SENTRY_DSN is set.*npm install @sentry\/node/);
    await daemon.line(/is ready/);
  },
);
