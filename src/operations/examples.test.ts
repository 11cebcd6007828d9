import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk, type Desk } from "../../test/desk.ts";
import { systemOwner } from "../rules/node.ts";
import { makeNotification } from "../rules/notification.ts";
import { makeToken } from "../rules/token.ts";
import { makeWebhook } from "../rules/webhook.ts";
import { ask } from "./ask.ts";
import { exampleFor, examples } from "./examples.ts";
import type { Context } from "./operation.ts";
import { operations, table } from "./table.ts";

/** Who asks in the examples. */
function me({ mina }: Desk): Context {
  const reload: Context["reload"] = () => {
    return { ok: true, changed: ["owners.me.quiet"], needsRestart: [] };
  };
  return { ...mina, owner: "me", by: "me", scopes: ["admin"], origin: null, reload };
}

/** What is there already in an example that names a record. */
async function prepare(name: keyof typeof operations, { ledger }: Desk): Promise<void> {
  const { id } = examples.show.input;
  const book = ledger.of("me", "me");
  const at = Date.parse("2026-11-17T09:00:00+09:00");
  const where = { target: "inbox:me", because: "inbox", origin: null } as const;
  const body = { message: "stand-up", at, atText: "tomorrow 9am", ...where };
  const { name: tokenName, owner, principal, scopes } = examples.createToken.output;
  const token = makeToken("daybook_example", { name: tokenName, owner, principal, scopes });
  if (name === "listWebhooks" || name === "deleteWebhook") {
    const { url, name: called } = examples.registerWebhook.input;
    await book.append({ ...makeWebhook({ url, name: called ?? "", secret: "whsec_" }), id });
  } else if (name === "listTokens" || name === "revokeToken") {
    const { id: tokenId } = examples.revokeToken.input;
    await ledger.of(systemOwner, "me").append({ ...token, id: tokenId });
  } else if (name === "retry") {
    await book.append({ kind: "notification", ends: "failed", body, id });
  } else if (!["remind", "registerWebhook", "createToken"].includes(name)) {
    await book.append({ ...makeNotification(body), id });
  }
}

/** What is made by chance, as the example has it; only its form is compared. */
function asIn(example: object, output: object): unknown {
  const chance = ["id", "secret", "token"] as const;
  let text = JSON.stringify(output);
  for (const name of chance) {
    const [wanted, got] = [example, output].map((each) => (each as Record<string, unknown>)[name]);
    if (typeof wanted !== "string" || typeof got !== "string") continue;
    assert.equal(got.length, wanted.length, name);
    if (name !== "id") assert.equal(got.slice(0, 6), wanted.slice(0, 6));
    text = text.replaceAll(got, wanted);
  }
  return JSON.parse(text);
}

describe("the example", () => {
  for (const [key, operation] of Object.entries(operations)) {
    const name = key as keyof typeof operations;
    test(`of ${operation.name} answers what it says`, async () => {
      const at = desk();
      await prepare(name, at);
      const { input, output } = examples[name];
      const answer = await ask(me(at), operation, input, me(at));
      assert.deepEqual(asIn(output, answer.output as object), output);
    });
  }
  test("of every operation is found by its name, and nothing else is", () => {
    for (const { name } of table) assert.ok(exampleFor(name), name);
    assert.equal(exampleFor("toString"), undefined);
  });
});
