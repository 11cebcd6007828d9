import assert from "node:assert/strict";
import { test } from "node:test";
import { log } from "../base/log.ts";
import { numbers } from "../controllers/numbers.ts";
import { runController } from "../controllers/runtime.ts";
import { plainProfile } from "../ledger/profiles.ts";
import { healthDefault } from "../rules/when/health.ts";
import { stage } from "../testing/stage.ts";
import { plainHandler } from "../testing/when-stage.ts";
import { handling } from "./handling.ts";

for (const handlers of [[], [plainHandler]]) {
  const who = handlers.length === 0 ? "nobody handles events" : "somebody does";
  const told = `told ${handlers.length} notices`;
  test(`where ${who}, a machine that has too much to do ${told}`, async () => {
    const { ledger, clock, ports, options } = stage();
    const write = (): void => undefined;
    const quiet = log({ write, clock, level: "error", format: "json", color: false });
    const { health, chores } = handling(
      {
        ...ports,
        log: quiet,
        ledger,
        profile: () => Promise.resolve(plainProfile),
        numbers: numbers(ledger),
        run: (controller) => runController(controller, ports, options),
      },
      {
        settings: () => ({ handlers, speaksTo: null, places: null }),
        health: {
          limits: () => healthDefault,
          measure: () => Promise.resolve({ cpu: 99, memory: 1, disk: 1 }),
        },
      },
    );
    await health.start();
    const notices = chores.find(({ name }) => name === "when-notices") ?? assert.fail();
    const memory = { id: "1", kept: null, round: "1" };
    const { did } = (await notices.run(clock.wall(), new AbortController().signal, memory)) as {
      did: string;
    };
    assert.equal(did, told);
    await health.stop();
  });
}
