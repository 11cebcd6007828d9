import { existsSync } from "node:fs";
import type { TestContext } from "node:test";
import { chromium, type BrowserContext } from "playwright-core";

const program = "/usr/bin/chromium";
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A new profile of a real browser; undefined where none is installed, which is an error where every part is required. */
export async function browser(
  t: TestContext,
  { locale = "en-US" }: { readonly locale?: string } = {},
): Promise<BrowserContext | undefined> {
  if (!existsSync(program)) {
    const missing = `no browser: install chromium (${program})`;
    if (process.env["DAYBOOK_REQUIRE_PARTS"] === "1") throw new Error(missing);
    t.skip(missing);
    return undefined;
  }
  const running = await chromium.launch({ executablePath: program, args: quiet });
  t.after(() => running.close());
  return running.newContext({ locale });
}
