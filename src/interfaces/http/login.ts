import { createHash } from "node:crypto";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import { browserLanguage } from "../../platform/html-page.ts";
import type { BrowserSessions } from "./browser-sessions.ts";
import type { Callers, Peer } from "./callers.ts";
import type { FailureLimit } from "./guard.ts";
import { homePage, signInPage } from "./page.ts";

/** One-time login links. */
export interface LoginPort {
  /** The caller that the code was issued for; works once, within ten minutes. */
  redeem(code: string): Promise<Caller | undefined>;
  /** A new code for the caller; by default for the caller of the options. */
  issue(caller?: Caller): string;
  /** How long a code is valid. */
  readonly validMs: number;
}

export interface LoginOptions {
  clock: Pick<Clock, "wall">;
  randomBytes(count: number): Uint8Array;
  /** The caller of links that name no other. */
  caller: Caller;
}

const codeBytes = 24;
const codeMs = 10 * 60_000;
const codesMax = 64;

/** Unused codes are kept in memory: a restart forgets them. */
export function logins({ clock, randomBytes, caller: first }: LoginOptions): LoginPort {
  const waiting = new Map<string, { caller: Caller; until: number }>();
  return {
    validMs: codeMs,
    redeem(code) {
      const name = hashOf(code);
      const found = waiting.get(name);
      waiting.delete(name);
      return Promise.resolve(found && clock.wall() < found.until ? found.caller : undefined);
    },
    issue(caller = first) {
      const code = Buffer.from(randomBytes(codeBytes)).toString("base64url");
      waiting.set(hashOf(code), { caller, until: clock.wall() + codeMs });
      const [oldest] = waiting.keys();
      if (waiting.size > codesMax && oldest !== undefined) waiting.delete(oldest);
      return code;
    },
  };
}

/** Looked up by its hash, so that no comparison leaks how much of a guess was right. */
function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

interface LoginParts {
  readonly installation: Installation;
  readonly operations: readonly Operation[];
  readonly login: LoginPort;
  readonly browsers: BrowserSessions;
  readonly callers: Callers;
  readonly failures: FailureLimit;
}

/** Answers a login link: the home page with a session cookie, or a page that says that the link is no longer valid. */
export async function openLoginLink(
  request: Request,
  peer: Peer,
  parts: LoginParts,
): Promise<Response> {
  const { browsers, callers, failures } = parts;
  const { address = "" } = peer;
  const language = browserLanguage(request);
  const code = new URL(request.url).searchParams.get("code");
  if (code !== null) {
    const caller = await parts.login.redeem(code);
    if (caller !== undefined && (await callers.mayStay(caller))) {
      const response = await homePage(parts, caller, language);
      response.headers.set("set-cookie", browsers.open(caller, request));
      return response;
    }
  }
  // The link again, opened in a browser that has a session.
  const known = await inSession(request, parts);
  if (known !== undefined) return homePage(parts, known, language);
  if (code !== null) failures.count({ address, credential: "code", path: "/login" });
  return signInPage(code === null ? "signIn" : "gone", language);
}

/** Answers the address alone, opened in a browser: the home page, or how to sign in. */
export async function openHome(request: Request, parts: LoginParts): Promise<Response> {
  const language = browserLanguage(request);
  const known = await inSession(request, parts);
  return known === undefined ? signInPage("signIn", language) : homePage(parts, known, language);
}

async function inSession(
  request: Request,
  { browsers, callers }: Pick<LoginParts, "browsers" | "callers">,
): Promise<Caller | undefined> {
  const known = browsers.find(request);
  return known !== undefined && (await callers.mayStay(known)) ? known : undefined;
}
