import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { safeFetch } from "../../platform/fetch.ts";

/** A daemon that runs on a home, as its own file describes it. */
export interface Daemon {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** The file of its settings; null: it has none. */
  readonly settingsFile: string | null;
  /** The folder that it runs in, where it would find one; null for a version that did not write it. */
  readonly cwd: string | null;
  /** Why its last reload of the settings failed; null: it did not. */
  readonly problem: string | null;
  /** Why the declared schedules were not applied; null: they were. */
  readonly refused: string | null;
  /** The settings that changed and take effect at its next start. */
  readonly needsRestart: readonly string[];
}

/** The files of a daemon for commands on the same machine. Only their owner may read them. */
export interface Home {
  /** The admin token. */
  readToken(): string | undefined;
  writeToken(token: string): void;
  readonly tokenPath: string;
  /** The daemon, if its process is alive. */
  readDaemon(): Daemon | undefined;
  writeDaemon(daemon: Daemon): void;
  /** Removes the file only if this process wrote it: another daemon may have started since. */
  removeDaemon(): void;
}

export function homeIn(folder: string): Home {
  const tokenPath = join(folder, "token");
  const daemonPath = join(folder, "daemon.json");
  const readDaemon = (): Daemon | undefined => {
    const found = daemonOf(textOf(daemonPath));
    return found !== undefined && runs(found.pid) ? found : undefined;
  };
  const write = (path: string, text: string): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
      chmodSync(`${path}.tmp`, 0o600); // a file left by a crash may have other permissions
      renameSync(`${path}.tmp`, path);
    } catch (cause) {
      const sentence = `${path} cannot be written (${messageOf(cause)}): choose a folder that you may write to.`;
      throw new DaybookError("unavailable", sentence, { cause });
    }
  };
  return {
    tokenPath,
    readToken: () => textOf(tokenPath)?.trim() || undefined,
    writeToken: (token) => write(tokenPath, `${token}\n`),
    readDaemon,
    writeDaemon: (daemon) => write(daemonPath, JSON.stringify(daemon)),
    removeDaemon() {
      if (readDaemon()?.pid === process.pid) rmSync(daemonPath, { force: true });
    },
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    const advice = "run this as its owner, or set DAYBOOK_HOME";
    const sentence = `${path} cannot be read (${messageOf(cause)}): ${advice}.`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

/** A killed daemon leaves its file: another program on its port must not get the token. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's process
  }
}

/** The daemon of a home, if it answers. */
export async function answering(home: Home, clock: Clock): Promise<Daemon | undefined> {
  const found = home.readDaemon();
  if (found === undefined) return undefined;
  const { host } = new URL(found.url);
  const fetch = safeFetch({ clock, timeoutMs: 3_000, bytesMax: 65_536, allowHosts: [host] });
  try {
    const { status } = await fetch({ url: `${found.url}/livez` });
    return status === 200 ? found : undefined;
  } catch {
    return undefined;
  }
}

/** A file that a crash cut off is ignored. */
function daemonOf(text = ""): Daemon | undefined {
  try {
    const { url, pid, version, startedAt, ...rest } = JSON.parse(text) as Partial<Daemon>;
    if (typeof url !== "string" || typeof pid !== "number") return undefined;
    const { problem = null, refused = null, needsRestart = [] } = rest; // older versions write less
    const { settingsFile = null, cwd = null } = rest;
    const times = { version: String(version), startedAt: Number(startedAt) };
    return { url, pid, ...times, settingsFile, cwd, problem, refused, needsRestart };
  } catch {
    return undefined;
  }
}
