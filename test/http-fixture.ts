import { request as rawRequest } from "node:http";
import type { TestContext } from "node:test";
import * as z from "zod";
import { features } from "../src/features/index.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
} from "../src/features/notifications/kind.ts";
import { channelNames } from "../src/features/notifications/ports.ts";
import { localRunners } from "../src/features/tasks/ports.ts";
import { httpHandler, type HttpHandler } from "../src/interfaces/http/handler.ts";
import { logins, type LoginPort } from "../src/interfaces/http/login.ts";
import type { HttpOptions } from "../src/interfaces/http/options.ts";
import { httpServer, type HttpServer } from "../src/interfaces/http/server.ts";
import { is } from "../src/kernel/kind.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import {
  type Installation,
  operation,
  type Caller,
  type Operation,
} from "../src/kernel/operation.ts";
import { provide, type Provision } from "../src/kernel/port.ts";
import type { LedgerRecord } from "../src/kernel/record.ts";
import type { Scope } from "../src/kernel/scope.ts";
import { systemClock } from "../src/platform/clock.ts";
import { DaybookError } from "../src/platform/errors.ts";
import { ids } from "../src/platform/ids.ts";
import { log, type Log } from "../src/platform/log.ts";
import { seededRandom } from "../src/platform/random.ts";
import { memory } from "../src/stores/memory/memory.ts";
import { installationOn, installed, using } from "./book-fixture.ts";
import { handClock, type HandClock } from "./hand-clock.ts";

/** A server on a free port over a book in memory, and people with tokens. */
export interface HttpFixture {
  url: string;
  clock: HandClock;
  installation: Installation;
  ledger: Ledger;
  handler: HttpHandler;
  server: HttpServer;
  login: LoginPort;
  /** By token: a test may take one away. */
  people: Map<string, Caller>;
  lines: string[];
  ask(path: string, init?: Asking): Promise<Answer>;
}

export interface Asking {
  method?: string;
  /** Of `people`; "mina" unless told, null for none. */
  token?: string | null;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Readonly<Record<string, unknown>>;
}

export async function httpFixture(
  t: TestContext,
  change: Partial<HttpOptions> = {},
  ...provisions: readonly Provision[]
): Promise<HttpFixture> {
  const clock = handClock();
  const ledger = memory({ now: clock.wall, ids: ids(clock, seededRandom(1)) });
  const installation = installationOver(ledger, clock, provisions);
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const noted: Log = log({ write, clock, level: "debug", format: "json", color: false });
  const people = new Map<string, Caller>([
    ["mina", person("mina", ["read", "write"])],
    ["jun", person("jun", ["read", "write"])],
    ["mina-reads", person("mina", ["read"])],
    ["mina-writes", person("mina", ["write"])],
  ]);
  const login = logins({
    clock,
    randomBytes: installation.randomBytes,
    caller: person("mina", ["read"]),
  });
  const handler = httpHandler({
    installation,
    operations: notes,
    features,
    tokens: (token) => Promise.resolve(people.get(token)),
    // Here the name of a token is its id too.
    isTokenGood: (id) => Promise.resolve(people.has(id)),
    clock,
    log: noted,
    health: { live: () => true, ready: () => Promise.resolve(true) },
    login,
    hosts: ["127.0.0.1", "localhost"],
    version: "1.2.3",
    ...change,
  });
  const server = httpServer({ handler, port: 0, clock: systemClock(), log: noted });
  await server.start();
  t.after(() => server.stop());
  const url = server.url() ?? "";
  const ask = asker(url);
  return { url, clock, installation, ledger, handler, server, login, people, lines, ask };
}

function person(owner: string, scopes: readonly Scope[]): Caller {
  return { owner, by: `${owner}-at-http`, scopes, origin: null };
}

function installationOver(
  ledger: Ledger,
  clock: HandClock,
  provisions: readonly Provision[],
): Installation {
  const base = installationOn(ledger, { clock, random: seededRandom(2), profile: installed });
  return using(
    base,
    provide(channelNames, () => ["inbox"]),
    provide(localRunners, () => ({})),
    ...provisions,
  );
}

function asker(url: string): HttpFixture["ask"] {
  return async (path, { method = "GET", token = "mina", body, headers = {} } = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get("content-type") ?? "");
    const json = (isJson && text !== "" ? JSON.parse(text) : {}) as Answer["json"];
    return { status: answer.status, headers: answer.headers, text, json };
  };
}

/** Asks as no well-behaved client does: any host, any path. */
export function askRaw(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    rawRequest({ hostname, port, path, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    })
      .on("error", reject)
      .end();
  });
}

const noteView = z.object({ id: z.string(), message: z.string(), revision: z.number() });
const id = z.string().describe("which note");

function viewOf(record: LedgerRecord<NotificationKind>): z.infer<typeof noteView> {
  return { id: record.id, message: record.body.message, revision: record.revision };
}

function bodyOf(message: string, at: number): LedgerRecord<NotificationKind>["body"] {
  return { message, at, atText: "now", target: "inbox:me", origin: null };
}

const addNote = operation({
  name: "add_note",
  summary: "Writes a note.",
  input: z.strictObject({
    message: z.string().describe("what it says"),
    key: z.string().optional().describe("asking again does not ask twice"),
  }),
  output: noteView.extend({ fresh: z.boolean() }),
  aliases: { text: "message", idempotency_key: "key" },
  scope: "write",
  effect: "adds",
  route: { method: "POST", path: "/v1/notes" },
  command: { name: "note", positionals: ["message"] },
  tool: "always",
  async run({ message, key }, { ledger, owner, by, now }) {
    const draft = makeNotification(bodyOf(message, now()));
    const asked = { name: key ?? "", asked: { message } };
    const made = await ledger
      .of(owner, by)
      .append({ ...draft, ...(key === undefined ? {} : { key: asked }) });
    if (made.record === null) throw new Error("it is forgotten");
    return { ...viewOf(made.record), fresh: made.fresh };
  },
  render: ({ message }) => message,
});

async function find(
  ledger: Ledger,
  owner: string,
  which: string,
): Promise<LedgerRecord<NotificationKind>> {
  const record = await ledger.of(owner, owner).get(which);
  if (is(notificationKind, record)) return record;
  throw new DaybookError("not_found", `There is no note "${which}".`, { details: { id: which } });
}

const readNote = operation({
  name: "read_note",
  summary: "Shows a note.",
  input: z.strictObject({ id }),
  output: noteView,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/notes/{id}" },
  command: { name: "show", positionals: ["id"] },
  tool: "always",
  run: async ({ id }, { ledger, owner }) => viewOf(await find(ledger, owner, id)),
  render: ({ message }) => message,
});

const listNotes = operation({
  name: "list_notes",
  summary: "Shows the notes.",
  input: z.strictObject({
    limit: z.coerce.number().int().min(1).max(500).default(50).describe("how many"),
    all: z.boolean().default(false).describe("also what has ended"),
    after: z.string().optional().describe("`next` of the page before"),
  }),
  output: z.object({ notes: z.array(noteView), next: z.string().nullable() }),
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/notes" },
  command: { name: "list", positionals: [] },
  tool: "always",
  async run({ limit, all, after }, { ledger, owner, by }) {
    const page = await ledger.of(owner, by).list({
      kind: notificationKind,
      limit,
      ...(all ? {} : { live: true }),
      after,
    });
    return { notes: page.records.map(viewOf), next: page.next };
  },
  render: ({ notes }) => notes.map(({ message }) => message).join("\n") || "no notes",
});

const editNote = operation({
  name: "edit_note",
  summary: "Changes a note.",
  input: z.strictObject({
    id,
    message: z.string().describe("what it says now"),
    revision: z.number().int().optional().describe("the revision that is known"),
  }),
  output: noteView,
  scope: "write",
  effect: "changes",
  route: { method: "PATCH", path: "/v1/notes/{id}" },
  command: { name: "edit", positionals: ["id"] },
  tool: "always",
  async run({ id, message, revision }, { ledger, owner, by }) {
    const { body } = await find(ledger, owner, id);
    const record = await ledger.of(owner, by).edit<NotificationKind>({
      kind: "notification",
      id,
      body: { ...body, message },
      ...(revision === undefined ? {} : { ifRevision: revision }),
    });
    return viewOf(record);
  },
  render: ({ message }) => message,
});

const dropNote = operation({
  name: "drop_note",
  summary: "Takes a note back.",
  input: z.strictObject({ id, reason: z.string().optional().describe("why") }),
  output: z.object({ id: z.string(), result: z.string() }),
  scope: "write",
  effect: "ends",
  route: { method: "DELETE", path: "/v1/notes/{id}" },
  command: { name: "drop", positionals: ["id"] },
  tool: "always",
  async run({ id, reason }, { ledger, owner, by }) {
    await find(ledger, owner, id);
    const { result } = await ledger
      .of(owner, by)
      .cancel({ id, ...(reason === undefined ? {} : { reason }) });
    return { id, result };
  },
  render: ({ result }) => result,
});

/** Erases what only its author needs to know. */
export function erased<Input extends z.ZodObject, Output>(
  one: Operation<Input, Output>,
): Operation {
  return one;
}

/** Every kind of route: made, read, listed, changed, ended. */
export const notes: readonly Operation[] = [
  erased(addNote),
  erased(readNote),
  erased(listNotes),
  erased(editNote),
  erased(dropNote),
];
