import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { atEnd, child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

const run = promisify(execFile);

/** The folder of a reader who types what a page shows. */
export interface ReaderFolder {
  readonly path: string;
  /** The settings in the reader's terminal. */
  readonly set: Readonly<Record<string, string>>;
  /** All variables of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs the lines in one shell, and returns what they print. The first that fails ends it. */
  type(lines: readonly string[]): Promise<string>;
  /** The same text with this daemon's port in place of the usual one. */
  withPort(text: string): string;
}

/** What the pages presume. No message leaves this machine, a busy one delays no work, and no workspace stays. */
const settings = `
timezone: Asia/Seoul
channels:
  ntfy: { server: "http://127.0.0.1:9" }
  webhook: { allow: ["127.0.0.1:9"] }
  exec: { lamp: { command: [./lamp.sh] } }
runners:
  agent: { baseUrl: "http://127.0.0.1:9/v1", model: small }
workspaces: { stopWithDaemon: true }
health: { yellow: { cpu: 100, memory: 100, disk: 100 }, red: { cpu: 100, memory: 100, disk: 100 } }
`;

const scripts: Readonly<Record<string, string>> = {
  "report.sh": "echo all is well",
  "backup.sh": "echo saved",
  "lamp.sh": `echo '{"result": "delivered", "receipt": "blinked"}'`,
  // As it is installed. The output is kept, because a page writes ID for an id that the reader has just seen.
  "bin/daybook.js": `"$DAYBOOK_TEST_NODE" "$DAYBOOK_TEST_BIN" "$@" >"$DAYBOOK_TEST_OUT.new"; status=$?
cat "$DAYBOOK_TEST_OUT.new"
if grep -qE "$DAYBOOK_TEST_ID" "$DAYBOOK_TEST_OUT.new"; then cp "$DAYBOOK_TEST_OUT.new" "$DAYBOOK_TEST_OUT"; fi
exit $status`,
  "bin/daybook": `exec "$(dirname "$0")/daybook.js" "$@"`,
  "bin/npx": `exec "$(dirname "$0")/$@"`,
  "bin/seen-id": `grep -oE "$DAYBOOK_TEST_ID" "$DAYBOOK_TEST_OUT" | head -n 1`,
};

/** Where a daemon listens unless it is told otherwise. */
export const usualUrl = "http://127.0.0.1:4810";

/** It stops by itself at the end, and its workspaces with it. */
async function startDaemon(
  t: TestContext,
  home: string,
  set: Readonly<Record<string, string>>,
): Promise<{ url: string; DAYBOOK_TOKEN: string }> {
  const daemon = child(t, bin, ["start"], set);
  atEnd(t, () => {
    daemon.kill("SIGTERM");
    return daemon.ended;
  });
  await daemon.line(/is ready/);
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  return { url, DAYBOOK_TOKEN: readFileSync(join(home, "token"), "utf8").trim() };
}

/** `hasDaemon`: what the page shows needs one, of its own. */
export async function readerFolder(
  t: TestContext,
  { hasDaemon }: { hasDaemon: boolean },
): Promise<ReaderFolder> {
  const path = folder(t);
  mkdirSync(join(path, "bin"));
  for (const [name, code] of Object.entries(scripts)) {
    writeFileSync(join(path, name), `#!/bin/sh\n${code}\n`);
    chmodSync(join(path, name), 0o755);
  }
  symlinkSync(
    fileURLToPath(new URL("../node_modules", import.meta.url)),
    join(path, "node_modules"),
  );
  writeFileSync(join(path, "daybook.yaml"), settings);
  const home = join(path, "home");
  const set = {
    DAYBOOK_HOME: home,
    DAYBOOK_CONFIG: join(path, "daybook.yaml"),
    DAYBOOK_ALLOW_COMMANDS: "1",
    DAYBOOK_LANGUAGE: "en",
  };
  const { url = usualUrl, ...token } = hasDaemon ? await startDaemon(t, home, set) : {};
  const env = {
    ...process.env,
    ...set,
    PATH: [join(path, "bin"), process.env["PATH"]].join(delimiter),
    ...token,
    DAYBOOK_TEST_NODE: process.execPath,
    DAYBOOK_TEST_BIN: bin,
    DAYBOOK_TEST_OUT: join(path, "output"),
    DAYBOOK_TEST_ID: String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}[0-9a-f-]*\b`,
  };
  const withPort = (text: string): string => text.replaceAll(usualUrl, url);
  return {
    path,
    set,
    env,
    withPort,
    async type(lines) {
      const script = ["exec </dev/null", ...lines].map((line) =>
        withPort(line).replaceAll(/(?<= )ID\b/g, "$(seen-id)"),
      );
      const { stdout } = await run("sh", ["-euc", script.join("\n")], {
        cwd: path,
        env,
        timeout: 60_000,
      });
      return stdout;
    },
  };
}
