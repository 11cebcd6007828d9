import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import type { Sent } from "../../features/notifications/receipt.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ProgramEnd } from "../../platform/process.ts";
import { attempt, channelSuite } from "../../testing/channels/conformance.ts";
import { busyMs } from "../../testing/channels/rig.ts";
import { exec } from "./exec.ts";

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "me@example.org",
  text: "두 줄\n이다",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

/** What the test tells a program to do. */
interface Script {
  output?: string;
  errors?: string;
  status?: number;
  /** It kills itself without an answer. */
  killed?: boolean;
}

/** A program with this answer, which sends nothing on. */
const refusing = (sent: Sent): Script => ({ output: JSON.stringify(sent) });

const delivered: Script = { output: JSON.stringify({ result: "delivered", receipt: { id: 7 } }) };
const killed: Script = { killed: true };

/** Passes its input to the test, and does what the test answers. `$TOKEN` stands for the secret. */
const program = `
  const socket = require("net").connect(Number(process.argv[1]), "127.0.0.1");
  process.stdin.pipe(socket, { end: false });
  let told = "";
  socket.on("data", (part) => (told += part)).on("end", () => {
    const { output = "", errors = "", status = 0, killed } = JSON.parse(told);
    if (killed) process.kill(process.pid, "SIGKILL");
    const fill = (text) => text.replaceAll("$TOKEN", process.env.TOKEN);
    process.stdout.write(fill(output));
    process.stderr.write(fill(errors));
    process.exitCode = status;
  });`;

const token = 'tk-"0123456789"';

async function programmed(t: TestContext) {
  const lines: string[] = [];
  const taken: string[] = [];
  const queue: Script[] = [];
  const heard = new EventTarget();
  let script: Script | undefined = delivered;
  const server = createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    createInterface(socket).once("line", (line) => {
      const told = queue.shift() ?? script;
      lines.push(line);
      if (told === delivered || told === killed) taken.push((JSON.parse(line) as Message).text);
      heard.dispatchEvent(new Event("line"));
      if (told !== undefined) socket.end(JSON.stringify(told));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const channel = exec({
    name: "mail",
    command: [process.execPath, "-e", program, `${port}`],
    spawn: childProcess({ clock: systemClock() }),
    secrets: { TOKEN: token },
  });
  const send = async (told: Script): Promise<Sent> => {
    script = told;
    return await channel.send(message, attempt());
  };
  return {
    channel,
    lines,
    taken,
    send,
    next: (...told: readonly Script[]) => void queue.push(...told),
    follow: (told: Script | undefined) => void (script = told),
    heard: () => once(heard, "line"),
  };
}

channelSuite("exec", async (t) => {
  const { channel, lines, taken, next, follow, heard } = await programmed(t);
  const skipped = (skip: number) => Array.from({ length: skip }, () => delivered);
  const busy: Sent = { result: "retry", reason: "too much", afterMs: busyMs };
  return {
    channel,
    address: "me@example.org",
    secret: token,
    sentCount: () => lines.length,
    keys: () => lines.map((line) => (JSON.parse(line) as Message).id),
    hang() {
      follow(undefined);
      return heard();
    },
    faults: {
      fails: () => follow({ status: 1, errors: "no $TOKEN\nsecond" }),
      "fails with control characters": () => follow({ status: 1, errors: "\u001B[2J\u202E\u0000" }),
      "repeats the secret": () =>
        follow({ output: JSON.stringify({ result: "rejected", reason: "no $TOKEN" }) }),
      "says nothing": () => follow({}),
      "says nonsense": () => follow({ output: '{"result":"perhaps"}' }),
      "answers with deep nesting": () => follow({ output: "[".repeat(60_000) }),
      "exceeds the output limit": () => follow({ output: " ".repeat(200_000) }),
      "is killed": () => follow(killed),
    },
    seen: () => taken,
    fails: {
      busy: (skip) => next(...skipped(skip), refusing(busy)),
      lost: (skip) => next(...skipped(skip), killed),
      refused: () => follow(refusing({ result: "rejected", reason: "no such reader" })),
    },
  };
});

test("a program gets the message as one line, and its answer is the result", async (t) => {
  const { send, lines } = await programmed(t);
  assert.deepEqual(await send(delivered), { result: "delivered", receipt: { id: 7 } });
  assert.deepEqual(JSON.parse(lines[0] ?? ""), message);
  const answers: Sent[] = [
    { result: "retry", reason: "later", afterMs: 5_000, destinationDown: true },
    { result: "rejected", reason: "no such reader" },
    { result: "unknown", reason: "perhaps" },
  ];
  for (const answer of answers) {
    assert.deepEqual(await send({ output: `${JSON.stringify(answer)}\n` }), answer);
  }
});

test("a receipt hides a secret, also in its JSON escapes", async (t) => {
  const { channel, follow } = await programmed(t);
  follow({ output: JSON.stringify({ result: "delivered", receipt: { sent: token, id: 1 } }) });
  assert.deepEqual(await channel.send(message, attempt()), {
    result: "delivered",
    receipt: { sent: "***", id: 1 },
  });
});

test("a failed program is retried, with its first error line as the reason", async (t) => {
  const { send } = await programmed(t);
  const sent = await send({ ...delivered, status: 75, errors: "\n  the line is busy\nmore" });
  assert.deepEqual(sent, {
    result: "retry",
    reason: `${process.execPath} ended with 75: the line is busy`,
  });
});

test("an unreadable answer or a killed program makes the message unknown", async (t) => {
  const { send } = await programmed(t);
  for (const script of [{}, { output: "ok" }, { output: "null" }, { killed: true }]) {
    assert.equal((await send(script)).result, "unknown", JSON.stringify(script));
  }
});

test("a missing program rejects the message, with advice", async () => {
  const spawn = childProcess({ clock: systemClock() });
  const channel = exec({ name: "mail", command: ["no-such-program-here"], spawn });
  assert.deepEqual(await channel.send(message, attempt()), {
    result: "rejected",
    reason:
      "no-such-program-here does not start (ENOENT): " +
      "check that it exists, that it is executable, and that PATH includes it",
  });
});

test("a machine without free processes is retried", async () => {
  const full = async (): Promise<ProgramEnd> => ({ started: false, code: "EAGAIN" });
  const channel = exec({ name: "mail", command: ["x"], spawn: full });
  assert.equal((await channel.send(message, attempt())).result, "retry");
});
