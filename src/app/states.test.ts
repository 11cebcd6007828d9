import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { kinds } from "../features/index.ts";
import { exitsOf, isEnd, statesOf, type Kind } from "../kernel/kind.ts";

type Arrows = Set<string>;

/** Every arrow the code allows, the first one from `[*]`. */
function arrowsInCode(kind: Kind): Arrows {
  const live = Object.keys(kind.states);
  const pairs = live.flatMap((from) => exitsOf(kind, from).map((to) => `${from} --> ${to}`));
  return new Set([`[*] --> ${live[0]}`, ...pairs]);
}

function endsInCode(kind: Kind): readonly string[] {
  return statesOf(kind).filter((state) => isEnd(kind, state));
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
    assert.deepEqual(new Set(chapters().keys()), new Set(kinds.map(({ name }) => name)));
  });
  for (const kind of kinds) {
    const { name, states } = kind;
    const chapter = chapters().get(name) ?? "";
    test(`of a ${name} is drawn as the code has it`, () => {
      const ends = endsInCode(kind).map((end) => `${end} --> [*]`);
      assert.deepEqual(drawn(chapter), arrowsInCode(kind).union(new Set(ends)));
    });
    test(`of a ${name} is told arrow by arrow as the code has it`, () => {
      assert.deepEqual(tabled(chapter), arrowsInCode(kind));
    });
    test(`of a ${name} names each exit once, and neither the state itself nor the cancel`, () => {
      for (const [from, to] of Object.entries<readonly string[]>(states)) {
        assert.ok(!to.includes(from) && !to.includes("cancelled"), from);
        assert.equal(new Set(to).size, to.length);
      }
      assert.ok(!Object.keys(states).includes("cancelled"));
    });
  }
});
