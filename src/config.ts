import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { DaybookError } from "./base/errors.ts";
import { quote } from "./rules/text.ts";
import { isZone } from "./rules/times.ts";

/** Everything that can be set from outside, with its default. */
export interface Config {
  home: string;
  store: StoreUrl;
  timezone: string;
  color: boolean;
  leaseMs: number;
}

export type StoreUrl =
  | { kind: "memory" }
  | { kind: "sqlite"; path: string }
  | { kind: "file"; folder: string }
  | { kind: "postgres"; url: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to nothing counts as not set. */
export function readConfig(env: Environment, isTerminal: boolean): Config {
  const home = resolve(env["DAYBOOK_HOME"] || defaultHome(env));
  return {
    home,
    store: parseStore(env["DAYBOOK_STORE"] || `sqlite:${join(home, "book.db")}`),
    timezone: timezone(env["DAYBOOK_TIMEZONE"]),
    color: isTerminal && !env["NO_COLOR"],
    leaseMs: leaseMs(env["DAYBOOK_LEASE_SECONDS"] || "15"),
  };
}

function defaultHome(env: Environment): string {
  const shared = env["XDG_DATA_HOME"] ?? "";
  // The specification says to pass over a relative one.
  return join(isAbsolute(shared) ? shared : join(homedir(), ".local", "share"), "daybook");
}

function timezone(asked = ""): string {
  const { timeZone } = new Intl.DateTimeFormat("en").resolvedOptions();
  if (asked === "") return isZone(timeZone) ? timeZone : "UTC"; // a broken TZ gives none at all
  if (isZone(asked)) return asked;
  const sentence = `DAYBOOK_TIMEZONE is ${quote(asked)}, which is no time zone: write it like "Asia/Seoul".`;
  throw new DaybookError("invalid", sentence);
}

function leaseMs(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= 3_600)) {
    throw new DaybookError("invalid", `DAYBOOK_LEASE_SECONDS is ${quote(text)}: write 1 to 3600.`);
  }
  return Math.round(seconds * 1_000);
}

/** Reads `sqlite:PATH`, `file:FOLDER`, `postgres://…` or `memory:`. */
export function parseStore(url: string): StoreUrl {
  if (url === "memory:") return { kind: "memory" };
  if (url === "sqlite::memory:") {
    throw new DaybookError("invalid", "A book in memory is written memory: without sqlite.");
  }
  if (/^postgres(?:ql)?:\/\/\P{Cc}+$/u.test(url)) return { kind: "postgres", url };
  const [, scheme, path] = /^(sqlite|file):(?:\/\/)?(?!\/*$)(.+)$/.exec(url) ?? [];
  if (path === undefined) {
    throw new DaybookError(
      "invalid",
      `${quote(url)} is not a store I know: write sqlite:PATH, file:FOLDER, postgres://…, or memory: for a trial.`,
    );
  }
  const place = resolve(path.replace(/^~(?=\/)/, homedir()));
  return scheme === "file" ? { kind: "file", folder: place } : { kind: "sqlite", path: place };
}
