import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { slackServer, type SlackServer } from "../src/testing/chats/slack-server.ts";
import type { SlackMessage } from "../src/testing/chats/slack-world.ts";
import {
  githubServer,
  githubToken,
  type GithubServer,
} from "../src/testing/sources/github-server.ts";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

/** What whoever posts to the hook `deploys` signs with. */
export const hookSecret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

const mina = { id: "U1", name: "mina" };

/** A daemon as it is installed, which hears GitHub and Slack on this machine and has handlers. */
export interface EventScenario {
  readonly home: string;
  readonly url: string;
  readonly slack: SlackServer;
  readonly github: GithubServer;
  readonly daemon: Child;
  /** Mina says something; the thread it is in, or begins. */
  say(text: string, thread?: string): Promise<string>;
  /** The first message of ours that matches, past or to come. */
  said(match: RegExp): Promise<SlackMessage>;
  /** What stands in a thread, in order; and what began it. */
  thread(root: string): readonly string[];
  ask(method: string, path: string, body?: object): Promise<Answered>;
  /** A shell script of the examples. */
  shell(name: string, ...args: readonly string[]): Promise<string>;
  /** The program, under the same settings. */
  command(...args: readonly string[]): Child;
}

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const run = promisify(execFile);

interface Setting {
  store(home: string): Promise<string>;
  handlers: string;
  /** Whether Slack is a source of events. */
  hears?: boolean;
}

export async function eventScenario(
  t: TestContext,
  { store, handlers, hears = true }: Setting,
): Promise<EventScenario> {
  const slack = await slackServer({ channels: { C1: {}, C2: {} }, people: { U1: "D1" } });
  const github = await githubServer(() => Date.now());
  github.extra = { "x-poll-interval": "1" };
  t.after(() => Promise.all([slack.close(), github.close()]));
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  writeFileSync(file, settings({ slack, github, handlers, hears, store: await store(home) }));
  writeFileSync(join(home, "soldier.mjs"), soldier);
  const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en", TZ: "UTC" };
  const command = (...args: readonly string[]): Child =>
    child(t, bin, [...args, "--config", file], env);
  const daemon = command("start");
  await daemon.line(/is ready/);
  await slack.socket.open();
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  const token = readFileSync(join(home, "token"), "utf8").trim();
  return {
    home,
    url,
    slack,
    github,
    daemon,
    command,
    async say(text, thread) {
      const { payload } = await slack.say("C1", mina, text, thread === undefined ? {} : { thread });
      return thread ?? (payload as { event: { ts: string } }).event.ts;
    },
    async said(match) {
      await slack.called(() => slack.messages.some(({ text }) => match.test(text)));
      return slack.messages.find(({ text }) => match.test(text)) ?? assert.fail();
    },
    thread: (root) =>
      slack.messages.filter(({ ts, thread }) => (thread ?? ts) === root).map(({ text }) => text),
    async ask(method, path, body) {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, { method, headers, ...sent });
      const text = await answer.text();
      return {
        status: answer.status,
        body: text === "" ? {} : (JSON.parse(text) as Answered["body"]),
      };
    },
    async shell(name, ...args) {
      const script = new URL(`../examples/when/${name}`, import.meta.url).pathname;
      return (await run("/bin/sh", [script, ...args])).stdout.trim();
    },
  };
}

function settings(at: {
  slack: SlackServer;
  github: GithubServer;
  handlers: string;
  hears: boolean;
  store: string;
}): string {
  const { slack, github, handlers, hears, store } = at;
  const ear = `api: "${slack.apiUrl}", token: ${slack.token}, appToken: ${slack.appToken}`;
  return `store: "${store}"
channels:
  slack: { ${ear}, senders: [{ id: U1, owner: me }], defaultChannel: C1 }
runners: { command: { allow: [all] } }
limits: { minGapSeconds: 1 }
hooks: { deploys: { kind: standard, secret: ${hookSecret} } }
health: { yellow: { cpu: 100, memory: 100, disk: 100 }, red: { cpu: 100, memory: 100, disk: 100 } }
sources:
  github: { token: ${githubToken}, api: "${github.api}", every: 1s }
${hears ? "  slack: {}\n" : ""}handlers:
${handlers}`;
}

/** Does what its task says, in words that are its payload's. */
const soldier = `
import { readFileSync } from "node:fs";
const task = JSON.parse(readFileSync(0, "utf8"));
const { text = "", human_response: answer } = task.payload;
console.log("working on " + task.id);
const say = (result) => console.log(JSON.stringify({ task_id: "another", ...result }));
if (answer !== undefined) say({ status: "success", summary: "went on with " + answer });
else if (text.includes("fail")) process.exit(3);
else if (text.includes("silent")) process.exit(0);
else if (text.includes("skip")) say({ status: "skipped", summary: "", reason: "not mine" });
else if (text.includes("ask")) say({ status: "needs_human", summary: "", question: "Which branch?", session_id: "s-1" });
else if (text.includes("elsewhere")) say({ status: "success", summary: "told elsewhere", notify_channel: "C2" });
else if (text.includes("proclaim")) say({ status: "success", summary: "shipped", proclamation: { channel: "C2", message: "1.2 is out" } });
else say({ status: "success", summary: "reviewed " + (task.payload.subject_title ?? text) });
`;
