import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { child, folder, type Child } from "../child.ts";

export const bin = join(import.meta.dirname, "..", "..", "bin", "daybook.js");

export interface Request {
  readonly method?: string;
  /** The admin token when absent; null sends none. */
  readonly token?: string | null;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Daemon {
  readonly process: Child;
  readonly home: string;
  readonly url: string;
  fetch(path: string, request?: Request): Promise<Response>;
  /** Posts JSON and reads the answer. Fails unless the status is 2xx. */
  post(path: string, body: object): Promise<Readonly<Record<string, unknown>>>;
  get(path: string): Promise<Readonly<Record<string, unknown>>>;
}

export const hookSecret = "a-secret-of-this-hook-and-of-no-other";

/** The limits of the machine's load are off: a busy machine would hold back tasks. */
const settings = `
runners: { command: { allow: [all] } }
handlers: { ops: { subscribes: [deploys.done] } }
hooks: { deploys: { kind: token, secret: { env: HOOK_SECRET } } }
channels: { exec: { sink: { command: [echo, '{"result":"delivered","receipt":null}'] } } }
health: { yellow: { cpu: 100, memory: 100, disk: 100 }, red: { cpu: 100, memory: 100, disk: 100 } }
`;

/** Starts the real program on a new `file:` book. */
export async function startDaemon(t: TestContext): Promise<Daemon> {
  const home = folder(t);
  const config = join(home, "daybook.yaml");
  writeFileSync(config, settings);
  const process = child(t, bin, ["start"], {
    DAYBOOK_HOME: home,
    DAYBOOK_CONFIG: config,
    DAYBOOK_STORE: `file:${join(home, "book")}`,
    DAYBOOK_LANGUAGE: "en",
    DAYBOOK_TIMEZONE: "UTC",
    HOOK_SECRET: hookSecret,
  });
  await process.line(/is ready/);
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  const admin = readFileSync(join(home, "token"), "utf8").trim();
  const send: Daemon["fetch"] = (path, { method = "GET", token = admin, body, headers } = {}) =>
    fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const read = async (answer: Response): Promise<Readonly<Record<string, unknown>>> => {
    const text = await answer.text();
    assert.ok(answer.ok, `${answer.url} ${answer.status} ${text}`);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  return {
    process,
    home,
    url,
    fetch: send,
    post: async (path, body) => read(await send(path, { method: "POST", body })),
    get: async (path) => read(await send(path)),
  };
}

/** Asks again until there is an answer. */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
): Promise<Awaited<T>> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
