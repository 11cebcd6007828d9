import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { folder } from "../../../test/child.ts";
import type { Message } from "../../features/notifications/channel.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import { attempt, channelSuite } from "../../testing/channels/conformance.ts";
import { desktop } from "./desktop.ts";

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "here",
  text: "약 먹을 시간",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

/** Fake desktop programs, which record their arguments, one call a line. */
function seat(t: TestContext, platform: "linux" | "darwin") {
  const home = folder(t);
  const calls = join(home, "calls");
  const behave = (ending: string): void => {
    for (const name of ["notify-send", "osascript"]) {
      const code = `#!${process.execPath}
        process.getBuiltinModule("fs").appendFileSync(${JSON.stringify(calls)}, JSON.stringify(process.argv.slice(2)) + "\\n");
        ${ending}`;
      writeFileSync(join(home, name), code);
      chmodSync(join(home, name), 0o755);
    }
  };
  behave("");
  const leave = (): void => rmSync(home, { recursive: true });
  const spawn = childProcess({ clock: systemClock() });
  return {
    behave,
    leave,
    channel: desktop({ spawn, platform, env: { PATH: home } }),
    calls: (): string[][] => {
      if (!existsSync(calls)) return [];
      const lines = readFileSync(calls, "utf8").trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line) as string[]);
    },
  };
}

/** Shows the call with this number, from 1, and is killed before it exits. */
function killedAt(number: number): string {
  return `const { readFileSync } = process.getBuiltinModule("fs");
    const { dirname, join } = process.getBuiltinModule("path");
    const shown = readFileSync(join(dirname(process.argv[1]), "calls"), "utf8").split("\\n");
    if (shown.length - 1 === ${number}) process.kill(process.pid, "SIGKILL");`;
}

for (const platform of ["linux", "darwin"] as const) {
  channelSuite(`desktop on ${platform}`, async (t) => {
    const { channel, calls, behave, leave } = seat(t, platform);
    const bell = createServer((socket) => socket.on("error", () => undefined).resume());
    bell.listen(0, "127.0.0.1");
    await once(bell, "listening");
    t.after(() => bell.close());
    const { port } = bell.address() as AddressInfo;
    return {
      channel,
      address: "here",
      sentCount: () => calls().length,
      hang() {
        // It stays while the socket does.
        behave(`process.getBuiltinModule("net").connect(${port}, "127.0.0.1");`);
        return once(bell, "connection");
      },
      faults: {
        "has no display": () => behave(`console.error("Cannot open display"); process.exit(1)`),
        "answers with control characters": () =>
          behave(`console.error("\\x1b[2J\\u202e"); process.exit(2)`),
        "is killed": () => behave(`process.kill(process.pid, "SIGKILL")`),
      },
      fails: {
        lost: (skip) => behave(killedAt(skip + 1)),
        refused: leave,
      },
    };
  });
}

test("on Linux the text is the last argument, with escapes and markup escaped", async (t) => {
  const { channel, calls } = seat(t, "linux");
  const text = 'C:\\new <b>&amp; "quoted" $(id)';
  assert.deepEqual(await channel.send({ ...message, text, priority: "high" }, attempt()), {
    result: "delivered",
    receipt: { shown: true },
  });
  assert.deepEqual(calls(), [
    [
      "--app-name=daybook",
      "--urgency=critical",
      "--",
      "Daybook",
      'C:\\\\new &lt;b&gt;&amp;amp; "quoted" $(id)',
    ],
  ]);
});

test("on macOS the text is an argument of the script, not part of it", async (t) => {
  const { channel, calls } = seat(t, "darwin");
  const text = '-e "; do shell script "id" --';
  await channel.send({ ...message, text }, attempt());
  const [given = []] = calls();
  assert.deepEqual(given.slice(-2), ["Daybook", text]);
  assert.ok(given.slice(0, -1).every((each) => !each.includes("do shell script")));
});

test("a long text is cut, and the receipt records it", async (t) => {
  const { channel, calls } = seat(t, "linux");
  const sent = await channel.send({ ...message, text: "가".repeat(20_000) }, attempt());
  assert.deepEqual(sent, { result: "delivered", receipt: { shown: true, cutTo: 1_000 } });
  assert.equal(calls()[0]?.at(-1)?.length, 1_000);
});

test("a missing display rejects the message, with advice", async (t) => {
  const { channel, behave } = seat(t, "linux");
  behave(`console.error("Cannot autolaunch D-Bus without X11 $DISPLAY"); process.exit(1)`);
  assert.deepEqual(await channel.send(message, attempt()), {
    result: "rejected",
    reason:
      "notify-send cannot show the pop-up: Cannot autolaunch D-Bus without X11 $DISPLAY: " +
      "run the daemon in a desktop session, or choose another channel",
  });
});

test("a missing program or another system rejects the message, with advice", async (t) => {
  const spawn = childProcess({ clock: systemClock() });
  const bare = desktop({ spawn, platform: "linux", env: { PATH: folder(t) } });
  const missing = await bare.send(message, attempt());
  assert.equal(missing.result, "rejected");
  assert.match(
    "reason" in missing ? missing.reason : "",
    /notify-send does not start \(ENOENT\): check/,
  );
  const elsewhere = desktop({ spawn, platform: "plan9", env: {} });
  assert.deepEqual(await elsewhere.send(message, attempt()), {
    result: "rejected",
    reason: "pop-ups are not supported on plan9: choose another channel",
  });
});
