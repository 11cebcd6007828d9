import assert from "node:assert/strict";
import { test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import { fakeRunner, runFixture } from "../../testing/run-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { deliverer } from "../notifications/controller.ts";
import { completeOutput } from "./complete-output.ts";
import type { NotifyPolicy } from "./kind.ts";
import type { Ran } from "./runner.ts";

type FakeRun = Parameters<typeof fakeRunner>[0];

const output = Array.from({ length: 9_000 }, (_, line) => `line ${line} 한`).join("\n");

interface Delivery {
  readonly takesLong?: boolean;
  readonly notify?: NotifyPolicy;
  /** Default: all that it wrote. */
  readonly readOutput?: () => Promise<string>;
}

/** Runs it for a schedule, and returns the messages that its channel gets. */
async function delivered(run: FakeRun, { takesLong = true, notify, ...given }: Delivery = {}) {
  const at = runFixture();
  const { clock, ledger } = at;
  await at.node(fakeRunner(run));
  const texts: string[] = [];
  const send = async ({ text }: { text: string }) => {
    texts.push(text);
    return { result: "delivered", receipt: 1 } as const;
  };
  const channels = [{ name: "fake", takesLong, send }];
  const profile = () => Promise.resolve(plainProfile);
  const readOutput =
    given.readOutput ??
    (({ parent }: { parent: string | null }) =>
      completeOutput(ledger.of("mina", "mina"), parent ?? ""));
  const delivers = deliverer({ channels, clock, ledger, profile, readOutput });
  await runController(delivers, at.ports, { ...at.options, holder: "n2" }).start();
  const id = await at.slot(await at.schedule(notify === undefined ? {} : { notify }));
  await at.pass(5_000);
  return { id, texts, output: await at.output(id) };
}

const writes: FakeRun = (_job, { write }) => {
  write(output);
  return { result: "completed", exit: 0 };
};

test("long output is delivered whole on a channel that takes it, and cut with a hint elsewhere", async () => {
  assert.deepEqual((await delivered(writes)).texts, [output]);
  const { id, texts } = await delivered(writes, { takesLong: false });
  const [text = ""] = texts;
  assert.ok(text.startsWith(output.slice(0, 9_000)) && text.length < 10_100);
  assert.ok(text.endsWith(`\n…\nThe rest: daybook run output ${id}`));
});

test("a function's own long text is delivered whole, beside a log of its own", async () => {
  const results: readonly [Ran & { result: "completed" }, NotifyPolicy?][] = [
    [{ result: "completed", said: output, returned: output }],
    [{ result: "completed", said: `[NOTIFY] ${output}` }, "conditional"],
    [{ result: "completed", returned: { notify: true, message: output } }, "conditional"],
  ];
  for (const [ran, notify = "always"] of results) {
    for (const log of ["", "line 0 한\n", "one\ntwo\n", `${output}\n`]) {
      const { texts, output: kept } = await delivered(
        (_job, { write }) => {
          if (log !== "") write(log);
          return ran;
        },
        { notify },
      );
      assert.deepEqual(texts, [output]);
      assert.ok(kept.startsWith(log) && kept.endsWith(output));
    }
  }
});

test("a short own text is not repeated in the output", async () => {
  const ran = { result: "completed", said: "3 files" } as const;
  const { texts, output: kept } = await delivered((_job, { write }) => {
    write("a log\n");
    return ran;
  });
  assert.deepEqual([texts, kept], [["3 files"], "a log\n"]);
});

test("without its output, the beginning is delivered, and no terminal command", async () => {
  const { texts } = await delivered(writes, { readOutput: () => Promise.resolve("") });
  assert.match(texts[0] ?? "", /^line 0 한\n[^]*\n…$/);
  assert.doesNotMatch(texts[0] ?? "", /daybook/);
});
