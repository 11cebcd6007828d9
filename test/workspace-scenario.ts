import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

/** A workspace as it is told of. */
export interface Told {
  readonly id: string;
  readonly status: string;
  readonly operation: string;
  readonly display: string;
  readonly archive_key: string | null;
  readonly observed_at: string | null;
  readonly error_info: { readonly reason: string; readonly message: string } | null;
}

/** A daemon as it is installed, with workspaces. */
export interface WorkspaceScenario {
  readonly home: string;
  /** What a command prints, once it has ended well. */
  said(...args: readonly string[]): Promise<string>;
  /** The first state of a workspace that fits, past or to come, as it is told to who listens. */
  until(name: string, fits: (told: Told) => boolean): Promise<Told>;
  /** Runs a script in a workspace, as a schedule does, and gives what it wrote. */
  runIn(name: string, script: string): Promise<string>;
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>;
  /** Stops the daemon, and gives what it printed. */
  stop(): Promise<string>;
  /** Starts the daemon with other settings. */
  start(settings: string): Promise<void>;
  /** Ends the daemon as a power failure does, and starts another. */
  crash(): Promise<void>;
}

export async function workspaceScenario(
  t: TestContext,
  settings: string,
): Promise<WorkspaceScenario> {
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  const write = (text: string): void =>
    writeFileSync(file, `${text}\nrunners: { command: { allow: [all] } }\n`);
  write(settings);
  const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en", TZ: "UTC" };
  const command = (...args: readonly string[]): Child => {
    const end = args.indexOf("--");
    const at = end === -1 ? args.length : end;
    return child(t, bin, [...args.slice(0, at), "--config", file, ...args.slice(at)], env);
  };
  const start = async (): Promise<Child> => {
    const daemon = command("start");
    await daemon.line(/is ready/);
    return daemon;
  };
  let daemon = await start();
  let runs = 0;
  const said: WorkspaceScenario["said"] = async (...args) => {
    const ran = command(...args);
    assert.equal(await ran.ended, 0, ran.lines.join("\n"));
    return ran.lines.join("\n");
  };
  const ask = asking(home);
  return {
    home,
    said,
    ask,
    until: (name, fits) => untilTold({ t, home, ask }, name, fits),
    async runIn(name, script) {
      runs += 1;
      const schedule = `run-${runs}`;
      await said(
        "schedule",
        "every day 9am",
        "--name",
        schedule,
        "--in",
        name,
        "--",
        "sh",
        "-c",
        script,
      );
      const told = await said("run-now", schedule);
      const [, id = ""] = /daybook run output (\S+)/.exec(told) ?? [];
      await untilEnded(ask, id);
      return said("output", id);
    },
    async stop() {
      daemon.kill("SIGTERM");
      await daemon.ended;
      return daemon.lines.join("\n");
    },
    async start(changed) {
      write(changed);
      daemon = await start();
    },
    async crash() {
      daemon.kill("SIGKILL");
      await daemon.ended;
      daemon = await start();
    },
  };
}

function asking(home: string): WorkspaceScenario["ask"] {
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = tokenIn(home);
    const answer = await fetch(`${urlIn(home)}${path}`, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
  };
}

interface At {
  t: TestContext;
  home: string;
  ask: WorkspaceScenario["ask"];
}

async function untilTold(
  { t, home, ask }: At,
  name: string,
  fits: (told: Told) => boolean,
): Promise<Told> {
  // Listens before it looks: nothing that happens in between is missed.
  for await (const _ of heard(t, home, "/api/v1/events")) {
    const { status, body } = await ask("GET", `/v1/workspaces/${encodeURIComponent(name)}`);
    assert.equal(status, 200, JSON.stringify(body));
    if (fits(body as Told)) return body as Told;
  }
  return assert.fail("the stream has ended");
}

function urlIn(home: string): string {
  return (JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string }).url;
}

function tokenIn(home: string): Record<string, string> {
  const token = readFileSync(join(home, "token"), "utf8").trim();
  return { authorization: `Bearer ${token}`, "content-type": "application/json" };
}

/** Something for each event of a stream. */
async function* heard(t: TestContext, home: string, path: string): AsyncGenerator<void> {
  const leaving = new AbortController();
  const left = AbortSignal.any([leaving.signal, t.signal]);
  try {
    const stream = await fetch(`${urlIn(home)}${path}`, { headers: tokenIn(home), signal: left });
    assert.equal(stream.status, 200);
    for await (const _ of stream.body ?? []) yield;
  } finally {
    leaving.abort();
  }
}

/** A run has no stream: it is asked after, as people do. */
async function untilEnded(ask: WorkspaceScenario["ask"], id: string): Promise<void> {
  for (;;) {
    const { body } = await ask("GET", `/v1/tasks/${id}`);
    const { finished_at: finishedAt } = body as { finished_at: string | null };
    if (finishedAt !== null) return;
    await new Promise((look) => setTimeout(look, 200));
  }
}
