import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { table } from "../../features/index.ts";
import { callOperation } from "../../kernel/call.ts";
import type { Operation } from "../../kernel/operation.ts";
import { noteDueWrites } from "./due-writes.ts";

type Input = Readonly<Record<string, unknown>>;

/** A book where each call says whether it left something for a node to do. */
function fixture() {
  const { mina } = bookFixture();
  const { owner, by, scopes, origin } = mina;
  return async (name: string, input: Input): Promise<boolean> => {
    const { ledger, hasDue } = noteDueWrites(mina.ledger);
    await callOperation({ ...mina, ledger }, operationOf(name), input, {
      owner,
      by,
      scopes,
      origin,
    });
    return hasDue();
  };
}

function operationOf(name: string): Operation {
  const operation = table.find((each) => each.name === name);
  assert.ok(operation, name);
  return operation;
}

const remind: Input = { message: "stand-up", at: "+1h", key: "one" };
const daily: Input = { name: "daily", when: "every day 9am", run: { task: "work" } };

describe("a request leaves something for a node to do", () => {
  const cases: [
    does: string,
    name: string,
    input: Input,
    isLeft: boolean,
    before?: [string, Input],
  ][] = [
    ["a reminder", "schedule_notification", remind, true],
    [
      "the same reminder again",
      "schedule_notification",
      remind,
      true,
      ["schedule_notification", remind],
    ],
    ["a nag", "nag", { message: "water" }, true],
    ["a schedule", "schedule_create", daily, true],
    ["a run at once", "schedule_run_now", { id: "daily" }, true, ["schedule_create", daily]],
    [
      "an edit of a schedule",
      "schedule_edit",
      { id: "daily", notify: "never" },
      true,
      ["schedule_create", daily],
    ],
    ["a paused schedule", "schedule_pause", { id: "daily" }, false, ["schedule_create", daily]],
    ["a deleted schedule", "schedule_delete", { id: "daily" }, false, ["schedule_create", daily]],
    ["a workspace", "create_workspace", { name: "box", image: "node:24" }, true],
    [
      "a deleted workspace",
      "delete_workspace",
      { id: "box" },
      true,
      ["create_workspace", { name: "box", image: "node:24" }],
    ],
    ["an event", "emit_event", { type: "shop.order" }, true],
    [
      "a profile that moves waiting nags",
      "set_profile",
      { quiet: "22:00-07:00" },
      false,
      ["nag", { message: "water" }],
    ],
    ["a webhook", "create_webhook", { url: "https://example.org/x" }, false],
    ["a list", "list_notifications", {}, false, ["schedule_notification", remind]],
  ];
  for (const [does, name, input, isLeft, before] of cases) {
    test(`${does}: ${isLeft ? "yes" : "no"}`, async () => {
      const call = fixture();
      if (before !== undefined) await call(...before);
      assert.equal(await call(name, input), isLeft);
    });
  }
});
