import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { Kind } from "./kinds.ts";
import { transitions } from "./states.ts";

type Arrows = Set<string>;

const kinds = Object.keys(transitions) as Kind[];

/** Every arrow the code allows, the first one from `[*]`. */
function arrowsInCode(kind: Kind): Arrows {
  const pairs = Object.entries<readonly string[]>(transitions[kind]).flatMap(([from, to]) =>
    to.map((state) => `${from} --> ${state}`),
  );
  return new Set([`[*] --> ${Object.keys(transitions[kind])[0]}`, ...pairs]);
}

function endsInCode(kind: Kind): readonly string[] {
  const live = Object.keys(transitions[kind]);
  const reached = Object.values<readonly string[]>(transitions[kind]).flat();
  return reached.filter((state) => !live.includes(state));
}

/** The document's part about each kind, by its heading. */
function chapters(): Map<string, string> {
  const document = readFileSync(new URL("../../docs/state-machine.md", import.meta.url), "utf8");
  const parts = document.split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")).trim(), part]));
}

function drawn(chapter: string): Arrows {
  const [, drawing = ""] = /```mermaid\nstateDiagram-v2\n([^]*?)```/.exec(chapter) ?? [];
  return new Set(drawing.split("\n").flatMap((line) => line.split(":")[0]?.trim() || []));
}

function tabled(chapter: string): Arrows {
  const rows = chapter.matchAll(/^\| `(.+?)` \| `(.+?)` \| \S.*\|$/gm);
  return new Set(rows.map(([, from, to]) => `${from} --> ${to}`));
}

describe("the state machine", () => {
  test("is described for every kind and no other", () => {
    assert.deepEqual(new Set(chapters().keys()), new Set(kinds));
  });
  for (const kind of kinds) {
    const chapter = chapters().get(kind) ?? "";
    test(`of a ${kind} is drawn as the code has it`, () => {
      const ends = endsInCode(kind).map((end) => `${end} --> [*]`);
      assert.deepEqual(drawn(chapter), arrowsInCode(kind).union(new Set(ends)));
    });
    test(`of a ${kind} is told arrow by arrow as the code has it`, () => {
      assert.deepEqual(tabled(chapter), arrowsInCode(kind));
    });
    test(`of a ${kind} lets every live record stay or be cancelled, and ends somewhere`, () => {
      for (const [from, to] of Object.entries<readonly string[]>(transitions[kind])) {
        assert.ok(to.includes(from) && to.includes("cancelled"), from);
        assert.equal(new Set(to).size, to.length);
      }
      assert.ok(!Object.keys(transitions[kind]).includes("cancelled"));
    });
  }
});
