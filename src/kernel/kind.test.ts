import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { defineKind, isEnd, isLive, statesOf, type Kind, type KindOf } from "./kind.ts";
import type { LedgerRecord } from "./record.ts";
import { moment } from "./schemas.ts";
import type { Shape } from "./shape.ts";
import type { DraftOf, EditOf } from "./unit.ts";
import type { Verdict } from "./verdict.ts";

const todoKind = defineKind({
  name: "todo",
  body: z.strictObject({
    text: z.string(),
    due: moment.exactOptional(),
    zone: z.string().optional(),
  }),
  outcome: z.strictObject({ closedBy: z.string() }),
  states: { open: ["waiting", "done"], waiting: ["open", "dropped"] },
});
interface TodoKind extends KindOf<typeof todoKind> {}

const lampKind = defineKind({
  name: "lamp",
  body: z.strictObject({ room: z.string() }),
  outcome: z.null(),
  states: { on: [] },
  levelTriggered: true,
});
interface LampKind extends KindOf<typeof lampKind> {}

/** `true` if each type is assignable to the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;

describe("the shape of a kind", () => {
  test("derives from its definition", () => {
    const derived: readonly true[] = [
      true satisfies Same<TodoKind["name"], "todo">,
      true satisfies Same<
        TodoKind["body"],
        { text: string; due?: number; zone?: string | undefined }
      >,
      true satisfies Same<TodoKind["outcome"], { closedBy: string }>,
      true satisfies Same<TodoKind["live"], "open" | "waiting">,
      true satisfies Same<TodoKind["end"], "done" | "dropped" | "cancelled">,
      true satisfies Same<TodoKind["levelTriggered"], false>,
      true satisfies Same<LampKind["end"], "cancelled">,
      true satisfies Same<LampKind["levelTriggered"], true>,
    ];
    assert.deepEqual(statesOf(todoKind), ["open", "waiting", "done", "dropped", "cancelled"]);
    assert.deepEqual(statesOf(lampKind), ["on", "cancelled"]);
    for (const state of ["open", "waiting"]) assert.ok(isLive(todoKind, state), state);
    for (const state of ["done", "dropped", "cancelled"]) assert.ok(isEnd(todoKind, state), state);
    assert.equal(lampKind.levelTriggered, true);
    assert.equal(derived.length, 8);
  });

  test("may still be written by hand, without schemas", () => {
    interface NoteKind extends Shape {
      name: "note";
      body: { text: string };
      outcome: null;
      live: "kept";
      end: "cancelled";
    }
    const noteKind: Kind<NoteKind> = defineKind({ name: "note", states: { kept: [] } });
    const kinds: readonly Kind[] = [noteKind, todoKind, lampKind];
    assert.deepEqual(
      kinds.map(({ name, body }) => [name, body !== undefined]),
      [
        ["note", false],
        ["todo", true],
        ["lamp", true],
      ],
    );
  });

  test("needs both schemas or none", () => {
    const states = { kept: [] };
    // @ts-expect-error: it has no outcome
    defineKind({ name: "half", body: z.strictObject({}), states });
    // @ts-expect-error: it has no body
    defineKind({ name: "half", outcome: z.null(), states });
  });
});

describe("a write of a defined kind", () => {
  test("is typed by the schemas and the states", () => {
    const body = { text: "water the plants" };
    const good: readonly DraftOf<TodoKind>[] = [
      { kind: "todo", body, state: "open", wakeAt: 0 },
      { kind: "todo", body: { ...body, zone: undefined }, state: "open", wakeAt: undefined },
      { kind: "todo", body: { ...body, due: 1 }, ends: "done", outcome: { closedBy: "mina" } },
    ];
    const wrong: readonly DraftOf<TodoKind>[] = [
      // @ts-expect-error: another kind's name
      { kind: "lamp", body, state: "open" },
      // @ts-expect-error: no such state
      { kind: "todo", body, state: "sleeping" },
      // @ts-expect-error: an end is not a live state
      { kind: "todo", body, state: "done" },
      // @ts-expect-error: a live state is not an end
      { kind: "todo", body, ends: "waiting" },
      // @ts-expect-error: a field is missing
      { kind: "todo", body: {}, state: "open" },
      // @ts-expect-error: no such field
      { kind: "todo", body: { text: "x", size: 1 }, state: "open" },
      // @ts-expect-error: a moment is a number
      { kind: "todo", body: { text: "x", due: "tomorrow" }, state: "open" },
      // @ts-expect-error: an exact optional field is absent or has a value
      { kind: "todo", body: { text: "x", due: undefined }, state: "open" },
      // @ts-expect-error: another outcome
      { kind: "todo", body, ends: "done", outcome: { closedAt: 1 } },
    ];
    // @ts-expect-error: an edit has the whole body
    const edit: EditOf<TodoKind> = { kind: "todo", id: "t1", body: { due: 1 } };
    // @ts-expect-error: only a level-triggered kind may be unchanged
    const verdict: Verdict<TodoKind> = { unchanged: 1 };
    const unchanged: Verdict<LampKind> = { unchanged: 1 };
    assert.ok(good.every(({ body }) => todoKind.body?.safeParse(body).success));
    assert.equal(wrong.length + [edit, verdict, unchanged].length, 12);
  });

  test("is typed the same when it is read", () => {
    const read = ({ body, outcome, state }: LedgerRecord<TodoKind>): string =>
      state === "done" ? (outcome?.closedBy ?? "") : body.text;
    const never = (record: LedgerRecord<TodoKind>): boolean =>
      // @ts-expect-error: no todo is ever in this state
      record.state === "paused";
    assert.equal(read.length + never.length, 2);
  });
});

test("a schema refuses what its type refuses", () => {
  const schema = todoKind.body;
  const refused = [{}, { text: 1 }, { text: "x", due: -1 }, { text: "x", size: 1 }];
  for (const body of [...refused, { text: "x", due: 0.5 }, { text: "x", due: undefined }]) {
    assert.equal(schema?.safeParse(body).success, false, JSON.stringify(body));
  }
  assert.deepEqual(schema?.parse({ text: "x", due: 0 }), { text: "x", due: 0 });
});
