import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../free-port.ts";

/** A real CalDAV server for the tests of one file. */
export interface DavServer {
  readonly name: string;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The folder of the user's calendars, with slashes around it. */
  readonly home: string;
  readonly username: string;
  readonly password: string;
  /** Its data. */
  readonly folder: string;
  /** A token in its form that it does not know. */
  readonly unknownToken: string;
  /** Texts that it changes. */
  readonly garbles?: RegExp;
  /** Forgets the tokens of a calendar. Absent: it cannot. */
  forgetTokens?(path: string): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export type Missing = { readonly missing: string };

interface Program {
  readonly file: string;
  readonly package: string;
  /** Writes its settings into the folder and answers its arguments. */
  prepare(folder: string, port: number): readonly string[];
}

/** Starts it on a free port; or answers what is missing here. */
export async function startServer(
  program: Program,
): Promise<Pick<DavServer, "origin" | "folder" | "stop"> | Missing> {
  if (!isInstalled(program.file)) {
    const missing = `no ${program.file}: install the package ${program.package}`;
    if (process.env["DAYBOOK_REQUIRE_PARTS"] === "1") throw new Error(missing);
    return { missing };
  }
  const folder = mkdtempSync(join(tmpdir(), `daybook-${program.file}-`));
  const port = await freePort();
  const args = program.prepare(folder, port);
  const child = spawn(program.file, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const clean = (): void => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const stopped = (): void => process.exit(1); // after a test runner's timeout; `clean` runs on "exit"
  process.on("exit", clean).once("SIGTERM", stopped).once("SIGINT", stopped);
  await listening(child, port);
  return {
    origin: `http://127.0.0.1:${port}`,
    folder,
    async stop() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await exit;
      clean();
      process.off("exit", clean).off("SIGTERM", stopped).off("SIGINT", stopped);
    },
  };
}

function isInstalled(file: string): boolean {
  try {
    execFileSync("which", [file], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Resolves when it accepts connections; throws with its last lines when it ends. */
async function listening(child: ChildProcess, port: number): Promise<void> {
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-2_000); // read to the end, or the server would block
  });
  while (child.exitCode === null && child.signalCode === null) {
    if (await accepts(port)) return;
    await setTimeout(20);
  }
  throw new Error(`${child.spawnfile} did not start: ${log}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
}
