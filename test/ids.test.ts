import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../src/features/index.ts";
import { systemOwner } from "../src/features/nodes/node.ts";
import { recordsIn } from "../src/kernel/list-all.ts";
import type { Context } from "../src/kernel/operation.ts";
import type { AnyRecord } from "../src/kernel/record.ts";
import { shortIds } from "../src/platform/short-id.ts";
import type { ExampleName } from "./example-books.ts";
import { answerOf } from "./examples.ts";

/** Their id is the name that a client gave a page, and names are typed whole. */
const named: ReadonlySet<string> = new Set(["putPage", "showPage", "deletePage"]);

/** Ids that these examples leave out. */
const added: Partial<Record<ExampleName, object>> = {
  claimTask: { id: "task-20261115-001" },
  listTasks: { event: "evt-jira-OPS-7" },
};

const askForIds = Object.entries(operations)
  .filter(([name, { input }]) => ("id" in input.shape || name in added) && !named.has(name))
  .map(([name]) => name as ExampleName);

async function recordsOf({ ledger, owner, by }: Context): Promise<readonly AnyRecord[]> {
  const books = [ledger.of(owner, by), ledger.of(systemOwner, by)];
  return (await Promise.all(books.map((book) => Array.fromAsync(recordsIn(book, {}))))).flat();
}

/** The input with what a list prints in place of each whole id and of each name. */
async function shortened(input: object, context: Context): Promise<object> {
  const records = await recordsOf(context);
  const starts = shortIds(records.map(({ id }) => id));
  const shorter = Object.entries(input).map(([key, value]) => {
    const meant = records.find(
      ({ id, body }) => id === value || (key === "id" && nameOf(body) === value),
    );
    if (meant === undefined) return [key, value];
    // What is printed whole is typed without its last number.
    const start = starts.get(meant.id) ?? "";
    return [key, start === meant.id ? start.replace(/\d+$/, "") : start.toUpperCase()];
  });
  return Object.fromEntries(shorter);
}

function nameOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "name" in body ? body.name : undefined;
}

for (const name of askForIds) {
  test(`${name} answers the same to the start of an id as to the whole id`, async () => {
    const more = added[name];
    const whole = await answerOf(name, (example) => ({ ...example, ...more }));
    let isShorter = false;
    const answer = await answerOf(name, async (example, context) => {
      const input = { ...example, ...more };
      const shorter = await shortened(input, context);
      isShorter = JSON.stringify(shorter) !== JSON.stringify(input);
      return shorter;
    });
    assert.ok(isShorter, "the example names no record");
    assert.deepEqual(answer, whole);
  });
}
