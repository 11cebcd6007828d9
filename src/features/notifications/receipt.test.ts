import assert from "node:assert/strict";
import { test } from "node:test";
import { answerProblem, readSent } from "./receipt.ts";

const cases: readonly [answer: unknown, result: string, problem: RegExp | undefined][] = [
  [{ result: "delivered", receipt: null }, "delivered", undefined],
  [{ result: "delivered", receipt: { ts: "1" } }, "delivered", undefined],
  [{ result: "retry", reason: "busy" }, "retry", undefined],
  [{ result: "retry", reason: "busy", afterMs: 1_000, destinationDown: true }, "retry", undefined],
  [{ result: "rejected", reason: "no such chat" }, "rejected", undefined],
  [{ result: "unknown", reason: "no answer" }, "unknown", undefined],
  [{ result: "absent", reason: "nobody", maybe: true }, "absent", undefined],
  [undefined, "unknown", /^send returned undefined: it must return \{ result: "delivered"/],
  [null, "unknown", /^send returned null: /],
  [true, "unknown", /^send returned a boolean: /],
  ["ok", "unknown", /^send returned a string: /],
  [{}, "unknown", /^send returned an object with no result: /],
  [{ ok: true }, "unknown", /with no result: /],
  [{ result: 7 }, "unknown", /with no result: /],
  [{ result: "sent" }, "unknown", /with the result "sent": .* or \{ result: "unknown"/],
  [{ result: "toString" }, "unknown", /with the result "toString": /],
  [{ result: "delivered" }, "delivered", /^send returned "delivered" without a receipt \(any JSON/],
  [{ result: "rejected" }, "rejected", /"rejected" without a reason .*result: "rejected", reason/],
  [{ result: "retry", reason: 429 }, "retry", /"retry" without a reason /],
  [{ result: "retry", reason: "busy", afterMs: "60" }, "retry", /"afterMs" that is a string: /],
];

for (const [answer, result, problem] of cases) {
  test(`an answer of ${JSON.stringify(answer)} is read as ${result}`, () => {
    assert.equal(readSent(answer).result, result);
    const found = answerProblem(answer);
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? "", problem);
  });
}

test("the reason of an answer that cannot be read says what send must return", () => {
  const sent = readSent("ok");
  assert.equal("reason" in sent && sent.reason, answerProblem("ok"));
});
