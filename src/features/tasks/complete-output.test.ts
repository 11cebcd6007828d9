import assert from "node:assert/strict";
import { test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import { fakeRunner, runFixture } from "../../testing/run-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { deliverer } from "../notifications/controller.ts";
import { completeOutput } from "./complete-output.ts";

const output = Array.from({ length: 9_000 }, (_, line) => `line ${line} 한`).join("\n");

test("long output is delivered whole on a channel that takes it, and cut with a hint elsewhere", async () => {
  for (const takesLong of [true, false]) {
    const at = runFixture();
    const { clock, ledger } = at;
    await at.node(
      fakeRunner((_job, { write }) => {
        write(output);
        return { result: "completed", exit: 0 };
      }),
    );
    const texts: string[] = [];
    const send = async ({ text }: { text: string }) => {
      texts.push(text);
      return { result: "delivered", receipt: 1 } as const;
    };
    const channels = [{ name: "fake", takesLong, send }];
    const profile = () => Promise.resolve(plainProfile);
    const readOutput = ({ parent }: { parent: string | null }) =>
      completeOutput(ledger.of("mina", "mina"), parent ?? "");
    const delivers = deliverer({ channels, clock, ledger, profile, readOutput });
    await runController(delivers, at.ports, { ...at.options, holder: "n2" }).start();
    const id = await at.slot(await at.schedule());
    await at.pass(5_000);
    if (takesLong) assert.deepEqual(texts, [output]);
    else {
      const [text = ""] = texts;
      assert.ok(text.startsWith(output.slice(0, 9_000)) && text.length < 10_100);
      assert.ok(text.endsWith(`\n…\nThe rest: daybook run output ${id}`));
    }
  }
});
