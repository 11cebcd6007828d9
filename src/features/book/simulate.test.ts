import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, using } from "../../../test/book-fixture.ts";
import { callOperation } from "../../kernel/call.ts";
import type { Context } from "../../kernel/operation.ts";
import { provide } from "../../kernel/port.ts";
import { pauseEverything } from "./pauses.ts";
import { simulation, type Simulate } from "./ports.ts";
import { simulate } from "./simulate.ts";

const line = { at: eight, what: "run", text: "back\nup", target: "inbox:me", id: "s1" } as const;

function foreseeing(isCut: boolean): { context: Context; spans: object[] } {
  const spans: object[] = [];
  const lines = [
    { ...line, dayHours: null },
    { ...line, what: "say" as const, dayHours: 23 },
  ];
  const simulated: Simulate = async (_, { now, from, to, limit }) => {
    spans.push({ now, from, to, limit });
    return { lines, isCut };
  };
  return {
    spans,
    context: using(
      bookFixture().mina,
      provide(simulation, () => simulated),
    ),
  };
}

describe("simulate", () => {
  test("prints a line per event and clock change, in both languages", async () => {
    const { context } = foreseeing(true);
    const { output } = await callOperation(context, simulate, {}, context);
    const answer = simulate.output.parse(output);
    assert.deepEqual(simulate.render(answer, bookFixture().reader()).split("\n"), [
      "Mon 16 Nov 2026 08:00:00  run  back up → inbox:me",
      "Mon 16 Nov 2026 08:00:00  send  back up → inbox:me  (clocks change: this day has 23 hours)",
      "These are the first 2. For the rest, choose a shorter span or a higher limit.",
    ]);
    assert.match(simulate.render(answer, bookFixture().reader("ko")), /실행 {2}back up/);
    const none = { ...answer, lines: [], cut: false };
    assert.equal(simulate.render(none, bookFixture().reader()), "Nothing would happen.");
  });
  test("covers a week by default, and all of a requested day", async () => {
    const { context, spans } = foreseeing(false);
    await callOperation(context, simulate, {}, context);
    await callOperation(context, simulate, { from: "+1h", to: "+30d", limit: 5 }, context);
    await callOperation(context, simulate, { from: "2026-11-20", to: "2026-11-20" }, context);
    assert.deepEqual(spans, [
      { now: eight, from: eight, to: eight + 7 * 86_400_000, limit: 1_000 },
      { now: eight, from: eight + 3_600_000, to: eight + 30 * 86_400_000, limit: 5 },
      {
        now: eight,
        from: Date.parse("2026-11-20T00:00+09:00"),
        to: Date.parse("2026-11-21T00:00+09:00") - 1,
        limit: 1_000,
      },
    ]);
  });
  test("begins with the pauses in force", async () => {
    const { context } = foreseeing(false);
    await pauseEverything.run({ reason: "holiday" }, context);
    const { output } = await callOperation(context, simulate, {}, context);
    const answer = simulate.output.parse(output);
    assert.deepEqual(
      answer.pauses?.map(({ scope, reason }) => [scope, reason]),
      [["owner mina", "holiday"]],
    );
    const [first, second] = simulate.render(answer, bookFixture().reader()).split("\n");
    assert.match(first ?? "", /owner mina.*holiday/);
    assert.match(second ?? "", /run {2}back up/);
    const none = { ...answer, lines: [] };
    assert.match(
      simulate.render(none, bookFixture().reader()),
      /holiday.*\nNothing would happen\./,
    );
  });
  test("is refused with advice if it is not possible", async () => {
    const without = using(
      bookFixture().mina,
      provide(simulation, () => undefined),
    );
    const asked = callOperation(without, simulate, {}, without);
    await assert.rejects(asked, { code: "unsupported", message: /use a running daemon/ });
  });
});
