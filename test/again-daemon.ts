import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { WebSocket } from "ws";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

type Answer = Readonly<Record<string, unknown>>;

/** So far away that only what is asked for runs. */
export const atNewYear = {
  type: "cron",
  expression: "0 0 1 1 *",
  timezone: "Asia/Seoul",
} as const;

/** A run as the list of runs shows it. */
export interface RunLine {
  readonly id: string;
  readonly slot: string;
  readonly status: string;
  readonly at_work: boolean;
  readonly reason: string | null;
  readonly output_summary: string | null;
  readonly notified: boolean;
}

/** Who is attached, and confirms what it hears. */
export interface Listener {
  /** All that it heard, in order. */
  readonly messages: readonly string[];
  /** Resolves when it has heard so many. */
  heard(count: number): Promise<void>;
  detach(): Promise<void>;
}

/** The installed program at work, and how it is asked. */
export interface AgainDaemon {
  readonly process: Child;
  readonly url: string;
  /** `session`: where it is asked. Fails when the answer is no. */
  ask(method: string, path: string, body?: object, session?: string): Promise<Answer>;
  /** The newest runs of a schedule, the oldest of them first. */
  runs(schedule: string): Promise<readonly RunLine[]>;
  /** Asks again until it is so. */
  until<T>(look: () => Promise<T | undefined>): Promise<T>;
  /** Without a session it hears the inbox. */
  attach(session?: string): Promise<Listener>;
}

export type Environment = Readonly<Record<string, string>>;

/** Settings under which a schedule may run a program every second. */
export function againSettings(t: TestContext, more: Environment = {}): Environment {
  const home = folder(t);
  return {
    DAYBOOK_HOME: home,
    DAYBOOK_STORE: `sqlite:${join(home, "book.db")}`,
    DAYBOOK_ALLOW_COMMANDS: "1",
    DAYBOOK_MIN_GAP_SECONDS: "1",
    DAYBOOK_LEASE_SECONDS: "2",
    ...more,
  };
}

export async function againDaemon(t: TestContext, settings: Environment): Promise<AgainDaemon> {
  const process = child(t, bin, ["start"], settings);
  await process.line(/is ready/);
  const home = settings["DAYBOOK_HOME"] ?? "";
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  const authorization = `Bearer ${readFileSync(join(home, "token"), "utf8").trim()}`;
  const ask: AgainDaemon["ask"] = async (method, path, body, session) => {
    const headers = {
      authorization,
      "content-type": "application/json",
      ...(session === undefined ? {} : { "daybook-session": encodeURIComponent(session) }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { method, headers, ...sent });
    const answer = (await response.json()) as Answer;
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  return {
    process,
    url,
    ask,
    until,
    async runs(schedule) {
      const { runs } = await ask("GET", `/v1/schedules/${schedule}/runs?limit=20`);
      return (runs as RunLine[]).toReversed();
    },
    async attach(session) {
      const place = `${url.replace("http", "ws")}/v1/attach`;
      const named = session === undefined ? "" : `?session=${encodeURIComponent(session)}`;
      const socket = new WebSocket(`${place}${named}`, { headers: { authorization } });
      t.after(() => socket.terminate());
      return listener(socket);
    },
  };
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50)); // it is asked again, not hoped
  }
}

/** Resolves when it is greeted. */
async function listener(socket: WebSocket): Promise<Listener> {
  const messages: string[] = [];
  const hears = new EventTarget();
  const greeted = Promise.withResolvers<void>();
  socket.on("error", () => undefined); // the daemon was killed
  socket.on("message", (data: Buffer) => {
    if (socket.readyState !== socket.OPEN) return; // it is leaving, and confirms nothing any more
    const frame = JSON.parse(data.toString()) as { type: string; id: string; message: string };
    if (frame.type === "hello") return greeted.resolve();
    messages.push(frame.message);
    socket.send(JSON.stringify({ type: "ack", id: frame.id }));
    hears.dispatchEvent(new Event("message"));
  });
  await greeted.promise;
  return {
    messages,
    async heard(count) {
      while (messages.length < count) await once(hears, "message");
    },
    async detach() {
      socket.close(1000);
      await once(socket, "close");
    },
  };
}
