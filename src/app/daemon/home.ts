import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { safeFetch } from "../../platform/fetch.ts";

/** A daemon that runs over a home, as its own file says. */
export interface Daemon {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** Why its last reload of the settings was not taken up. */
  readonly problem: string | null;
  /** Why schedules that stand in its settings were not made so. */
  readonly refused: string | null;
  /** The settings that changed and take effect at its next start. */
  readonly needsRestart: readonly string[];
}

/** The files a daemon keeps for those who ask on the same machine. Nobody else may read them. */
export interface Home {
  /** The token that may do everything. */
  readToken(): string | undefined;
  writeToken(token: string): void;
  readonly tokenPath: string;
  /** The daemon whose process lives. */
  readDaemon(): Daemon | undefined;
  writeDaemon(daemon: Daemon): void;
  /** Only what this process wrote: another may have come after it. */
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
      chmodSync(`${path}.tmp`, 0o600); // one that was left by a crash may have had other rights
      renameSync(`${path}.tmp`, path);
    } catch (cause) {
      const sentence = `${path} cannot be written (${messageOf(cause)}): choose a folder you may write to.`;
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

/** One that was killed left its file behind: whoever has its port now must not get the token. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it is another user's
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

/** A file that was cut off by a crash says nothing. */
function daemonOf(text = ""): Daemon | undefined {
  try {
    const { url, pid, version, startedAt, ...rest } = JSON.parse(text) as Partial<Daemon>;
    if (typeof url !== "string" || typeof pid !== "number") return undefined;
    const { problem = null, refused = null, needsRestart = [] } = rest; // an older one writes less
    const times = { version: String(version), startedAt: Number(startedAt) };
    return { url, pid, ...times, problem, refused, needsRestart };
  } catch {
    return undefined;
  }
}
