import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { bookFixture, eight } from "../../../test/book-fixture.ts";
import { handClock } from "../../../test/hand-clock.ts";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import { terminal } from "../../../test/terminal.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Attached, SessionSocket } from "../http/attach.ts";
import type { CliPorts } from "./command.ts";
import { runCli } from "./main.ts";

/** A real server whose listeners hear what a test says, and a terminal that is attached to it. */
interface Scenario {
  fixture: HttpFixture;
  /** Every listener so far, with what it acknowledged. */
  listeners: { socket: SessionSocket; acked: string[]; session: string | undefined }[];
  /** The next thing that happens: a line of output, talk, an ack, a listener. */
  until(isSo: () => boolean): Promise<void>;
  said: { out: string; err: string };
  clock: ReturnType<typeof handClock>;
  interrupt: AbortController;
  run(...typed: string[]): Promise<number>;
}

interface Changes {
  waiting?: number;
  ports?: Partial<CliPorts>;
  refuse?: DaybookError;
  token?: string;
}

async function scenario(
  t: TestContext,
  { waiting, ports = {}, refuse, token = "mina" }: Changes = {},
): Promise<Scenario> {
  const listeners: Scenario["listeners"] = [];
  const looks = new Set<() => void>();
  const happened = (): void => looks.forEach((look) => look());
  const fixture = await httpFixture(t, {
    sessions: {
      attach(_, socket, session): Attached {
        if (refuse !== undefined) throw refuse;
        const acked: string[] = [];
        listeners.push({ socket, acked, session });
        happened();
        return {
          lane: "inbox:mina",
          ...(waiting === undefined ? {} : { waiting }),
          acked(id) {
            acked.push(id);
            happened();
          },
          detach: () => Promise.resolve(),
        };
      },
    },
  });
  const clock = handClock(eight);
  const interrupt = new AbortController();
  const { ports: all, said } = terminal({
    clock,
    reader: async () => ({ ...bookFixture().reader(), now: clock.wall() }),
    interrupts: () => interrupt.signal,
    connect: (url, protocols) => new WebSocket(url, protocols),
    async daemon() {
      const url = fixture.server.url();
      return url === undefined ? undefined : { url, token, tokenFile: "/home/mina/token", pid: 1 };
    },
    async show(text) {
      said.out += `${text}\n`;
      happened();
    },
    err(text) {
      said.err += `${text}\n`;
      happened();
    },
    ...ports,
  });
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  const run = (...typed: string[]): Promise<number> => runCli(["attach", ...typed], all);
  return { fixture, listeners, until, said, clock, interrupt, run };
}

function message(id: string, text: string, more: object = {}): object {
  return { type: "message", id, message: text, at: eight, priority: "normal", ...more };
}

describe("attach", () => {
  test("shows each message with its local time, acknowledges it, and leaves on Ctrl-C", async (t) => {
    const { listeners, until, said, interrupt, run } = await scenario(t, { waiting: 2 });
    const exit = run();
    await until(() => said.err.includes("Listening"));
    const [listener] = listeners;
    await listener?.socket.send(message("1", "stand-up"));
    await listener?.socket.send(
      message("2", "\u001B[2Jtwice", { maybe_repeat: true, at: "2026-11-16T00:00:00Z" }),
    );
    await until(() => listener?.acked.length === 2);
    interrupt.abort();
    assert.equal(await exit, 0);
    assert.equal(
      said.out,
      "Mon 16 Nov 2026 08:00:00  stand-up\nMon 16 Nov 2026 09:00:00  �[2Jtwice (may be a repeat)\n",
    );
    assert.equal(said.err, "Listening as inbox:mina: 2 waiting. Leave with Ctrl-C.\n");
    assert.deepEqual(listener?.acked, ["1", "2"]);
    await listener?.socket.closed;
  });
  test("with --json prints one frame on each line, as it came", async (t) => {
    const { listeners, until, said, interrupt, run } = await scenario(t);
    const exit = run("--json");
    await until(() => listeners.length === 1);
    const frames = [message("1", "two\nlines"), message("2", "b", { later: { x: 1 } })];
    for (const frame of frames) await listeners[0]?.socket.send(frame);
    await until(() => listeners[0]?.acked.length === 2);
    interrupt.abort();
    assert.equal(await exit, 0);
    const lines = said.out.trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      frames,
    );
  });
  test("asks for the session that was named", async (t) => {
    const { listeners, until, interrupt, run } = await scenario(t);
    const exit = run("--session", "tab 7&x=y");
    await until(() => listeners.length === 1);
    assert.equal(listeners[0]?.session, "tab 7&x=y");
    interrupt.abort();
    assert.equal(await exit, 0);
  });
  test("passes over what it does not know", async (t) => {
    const { listeners, until, said, interrupt, run } = await scenario(t);
    const exit = run();
    await until(() => listeners.length === 1);
    for (const frame of [{ type: "news" }, { type: "message" }, [], message("1", "a")]) {
      await listeners[0]?.socket.send(frame);
    }
    await until(() => listeners[0]?.acked.length === 1);
    interrupt.abort();
    await exit;
    assert.equal(said.out.split("\n").length, 2);
  });
});

describe("attach --once", () => {
  test("leaves when all that waited was shown and acknowledged", async (t) => {
    const { listeners, until, said, run } = await scenario(t, { waiting: 2 });
    const exit = run("--once");
    await until(() => listeners.length === 1);
    for (const id of ["1", "2"]) await listeners[0]?.socket.send(message(id, id));
    assert.equal(await exit, 0);
    assert.equal(said.out.split("\n").length, 3);
    await listeners[0]?.socket.closed;
    assert.deepEqual(listeners[0]?.acked, ["1", "2"]);
  });
  test("leaves at once when nothing waits", async (t) => {
    const { run, said } = await scenario(t, { waiting: 0 });
    assert.equal(await run("--once"), 0);
    assert.equal(said.out, "");
  });
  test("leaves when nobody counted and it has been quiet for a while", async (t) => {
    const { listeners, until, said, clock, run } = await scenario(t);
    const exit = run("--once");
    await until(() => said.err !== "");
    clock.advance(2_900);
    await listeners[0]?.socket.send(message("1", "a"));
    await until(() => listeners[0]?.acked.length === 1);
    clock.advance(2_900);
    assert.deepEqual(clock.waiting(), [100]);
    clock.advance(100);
    assert.equal(await exit, 0);
    assert.equal(said.out.split("\n").length, 2);
  });
});

describe("attach comes back", () => {
  test("when the daemon was started again elsewhere, and shows nothing twice", async (t) => {
    const { fixture, listeners, until, said, clock, interrupt, run } = await scenario(t);
    const exit = run();
    await until(() => listeners.length === 1);
    await listeners[0]?.socket.send(message("1", "a"));
    await until(() => listeners[0]?.acked.length === 1);
    const before = fixture.server.url();
    await fixture.server.stop();
    await until(() => said.err.includes("The connection is lost: trying again in 1 s."));
    clock.advance(500);
    await until(() => said.err.split("trying again").length === 3); // nobody there yet
    await fixture.server.start();
    assert.notEqual(fixture.server.url(), before);
    clock.advance(1_000);
    await until(() => listeners.length === 2);
    await listeners[1]?.socket.send(message("1", "a", { maybe_repeat: true }));
    await listeners[1]?.socket.send(message("2", "b"));
    await until(() => listeners[1]?.acked.length === 2);
    interrupt.abort();
    assert.equal(await exit, 0);
    assert.deepEqual(said.out.match(/ {2}\w.*$/gm), ["  a", "  b"]);
  });
  test("and Ctrl-C leaves while it looks for the daemon", async (t) => {
    const { fixture, interrupt, run, said } = await scenario(t, {
      ports: {
        async daemon() {
          interrupt.abort();
          return { url: fixture.url, token: "mina", tokenFile: "", pid: 1 };
        },
      },
    });
    assert.equal(await run(), 0);
    assert.equal(said.err, "");
  });
  test("and Ctrl-C leaves while it waits", async (t) => {
    const { fixture, listeners, until, said, interrupt, run } = await scenario(t);
    const exit = run();
    await until(() => listeners.length === 1);
    await fixture.server.stop();
    await until(() => said.err.includes("trying again"));
    interrupt.abort();
    assert.equal(await exit, 0);
  });
});

describe("attach ends", () => {
  test("when no daemon runs", async (t) => {
    const { said, run } = await scenario(t, { ports: { daemon: async () => undefined } });
    assert.equal(await run(), 6);
    assert.equal(said.err, "daybook: No daemon runs here: start one with daybook start.\n");
  });
  test("when it is not let in, and says which token it used", async (t) => {
    const { said, run } = await scenario(t, { token: "wrong" });
    assert.equal(await run(), 6);
    assert.match(said.err, /refused the connection: .* the token in \/home\/mina\/token is valid/);
  });
  test("when the daemon says that it may not listen", async (t) => {
    const refuse = new DaybookError("refused", "This session is another's: choose another name.");
    const { said, run } = await scenario(t, { refuse });
    assert.equal(await run(), 5);
    assert.equal(said.err, "daybook: This session is another's: choose another name.\n");
  });
  test("when its token is taken away", async (t) => {
    const { fixture, until, said, run } = await scenario(t);
    const exit = run();
    await until(() => said.err !== "");
    fixture.people.delete("mina");
    fixture.clock.advance(4_000);
    assert.equal(await exit, 5);
    assert.match(said.err, /its token may not listen any more\.\n$/);
  });
  test("when its output is closed, and does not acknowledge what was not shown", async (t) => {
    const show = (): Promise<never> => Promise.reject(new Error("write EPIPE"));
    const { listeners, until, said, run } = await scenario(t, { ports: { show } });
    const exit = run();
    await until(() => listeners.length === 1);
    for (const id of ["1", "2"]) await listeners[0]?.socket.send(message(id, id));
    assert.equal(await exit, 6);
    assert.match(said.err, /The output cannot be written: write EPIPE\./);
    await listeners[0]?.socket.closed;
    assert.deepEqual(listeners[0]?.acked, []);
  });
});
