import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DaybookError, messageOf } from "./base/errors.ts";
import type { Desk } from "./operations/ask.ts";
import { findToken } from "./operations/tokens.ts";
import { systemOwner } from "./rules/node.ts";
import { makeToken, tokenFrom, tokenId } from "./rules/token.ts";

/** A daemon that runs over a home, as its own file says. */
export interface Daemon {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** Why its last reload of the settings was not taken up. */
  readonly problem: string | null;
  /** The settings that changed and take effect at its next start. */
  readonly needsRestart: readonly string[];
}

/** The files a daemon keeps for those who ask on the same machine. Nobody else may read them. */
export interface Home {
  /** The token that may do everything. */
  readToken(): string | undefined;
  writeToken(token: string): void;
  readonly tokenPath: string;
  readDaemon(): Daemon | undefined;
  writeDaemon(daemon: Daemon): void;
  removeDaemon(): void;
}

export function homeIn(folder: string): Home {
  const tokenPath = join(folder, "token");
  const daemonPath = join(folder, "daemon.json");
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
    readDaemon: () => daemonOf(textOf(daemonPath)),
    writeDaemon: (daemon) => write(daemonPath, JSON.stringify(daemon)),
    removeDaemon: () => rmSync(daemonPath, { force: true }),
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw new DaybookError("unavailable", `${path} cannot be read (${messageOf(cause)}).`, {
      cause,
    });
  }
}

/** A file that was cut off by a crash says nothing. */
function daemonOf(text = ""): Daemon | undefined {
  try {
    const { url, pid, version, startedAt, ...rest } = JSON.parse(text) as Partial<Daemon>;
    if (typeof url !== "string" || typeof pid !== "number") return undefined;
    const { problem = null, needsRestart = [] } = rest; // an older one writes less
    const times = { version: String(version), startedAt: Number(startedAt) };
    return { url, pid, ...times, problem, needsRestart };
  } catch {
    return undefined;
  }
}

const tokenCharsMin = 32;

/**
 * The token of this home works in the book: the one that was set, the one that is kept, or a fresh one.
 * Answers its id.
 */
export async function adminToken(home: Home, desk: Desk, set: string | undefined): Promise<string> {
  if (set !== undefined && set.length < tokenCharsMin) {
    const sentence = `DAYBOOK_TOKEN is easy to guess: give it ${tokenCharsMin} characters or more.`;
    throw new DaybookError("invalid", sentence);
  }
  const known = set ?? home.readToken();
  if (known !== undefined && (await isGood(desk, known))) return tokenId(known);
  if (set !== undefined) {
    throw new DaybookError("refused", "DAYBOOK_TOKEN was revoked or is over: set another.");
  }
  const token = tokenFrom(desk.randomBytes(32));
  await write(desk, token);
  home.writeToken(token);
  return tokenId(token);
}

/** A token that the book does not know yet is written into it; one that was revoked stays so. */
async function isGood(desk: Desk, token: string): Promise<boolean> {
  if ((await findToken(desk, token)) !== undefined) return true;
  await write(desk, token);
  return (await findToken(desk, token)) !== undefined;
}

async function write({ ledger }: Desk, token: string): Promise<void> {
  const body = { name: "home", owner: "me", principal: "me", scopes: ["admin"] as const };
  await ledger.of(systemOwner, systemOwner).append(makeToken(token, body));
}
