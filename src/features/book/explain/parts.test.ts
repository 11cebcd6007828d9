import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExplainPart } from "../../../kernel/explain.ts";
import { standing } from "../../../kernel/story.ts";
import { actions } from "../actions.ts";
import { parts } from "./parts.ts";
import { explainedView } from "./view.ts";

const all: readonly ExplainPart[] = parts;

function doubled(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) < index);
}

test("no two parts of explain use one key, nor a key that every record has", () => {
  const own = ["because", "held_back", "history", "history_cut", "waits"];
  const paging = ["next_offset", "remaining"];
  const keys = [
    ...Object.keys(standing),
    ...all.map(({ key }) => key),
    ...all.flatMap(({ fields }) => Object.keys(fields?.schemas ?? {})),
    ...own,
    ...paging,
  ];
  assert.deepEqual(doubled(keys), []);
  assert.deepEqual(keys.toSorted(), Object.keys(explainedView.shape).toSorted());
});

test("each kind is explained by one part and acted on by one set of actions", () => {
  assert.deepEqual(doubled(all.map(({ kind }) => kind.name)), []);
  assert.deepEqual(doubled(actions.map(({ kind }) => kind.name)), []);
});
