import assert from "node:assert/strict";
import { test } from "node:test";
import type * as z from "zod";
import { type ExplainPart, recordFields } from "../../../kernel/explain.ts";
import { actionsOf, explainPartsOf } from "../../../kernel/feature.ts";
import { features, operations } from "../../index.ts";

const all: readonly ExplainPart[] = explainPartsOf(features);
const actions = actionsOf(features);

function doubled(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) < index);
}

test("each part of explain has its own key, which no record has", () => {
  const own = ["because", "held_back", "history", "history_cut", "waits"];
  const paging = ["next_offset", "remaining"];
  const keys = [
    ...Object.keys(recordFields),
    ...all.map(({ key }) => key),
    ...all.flatMap(({ fields }) => Object.keys(fields?.schemas ?? {})),
    ...own,
    ...paging,
  ];
  assert.deepEqual(doubled(keys), []);
  assert.deepEqual(
    keys.toSorted(),
    Object.keys((operations.explain.output as unknown as z.ZodObject).shape).toSorted(),
  );
});

test("each kind has at most one part of explain and one set of actions", () => {
  assert.deepEqual(doubled(all.map(({ kind }) => kind.name)), []);
  assert.deepEqual(doubled(actions.map(({ kind }) => kind.name)), []);
});
