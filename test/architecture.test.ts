import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const rows = "bin.ts app interfaces adapters features time stores kernel platform".split(" ");

interface Step {
  readonly from: string;
  readonly to: string;
  /** The file that declares the port between them; absent: an import. */
  readonly port?: string;
}

/** The steps of a walk: paths in backticks, joined by an arrow, with prose in between. */
function stepsIn(walk: string): readonly Step[] {
  const tokens = walk.match(/`[\w/.-]+\.ts`|→|⇢|;|\n- /g) ?? [];
  const steps: Step[] = [];
  let from: string | undefined;
  let arrow: string | undefined;
  let port: string | undefined;
  for (const token of tokens) {
    if (token === ";" || token === "\n- ") [from, arrow, port] = [undefined, undefined, undefined];
    else if (token === "→" || token === "⇢") [arrow, port] = [token, undefined];
    else if (arrow === "⇢" && port === undefined) port = token.slice(1, -1);
    else {
      const to = token.slice(1, -1);
      if (from !== undefined && arrow !== undefined) {
        steps.push({ from, to, ...(port !== undefined && { port }) });
      }
      [from, arrow, port] = [to, undefined, undefined];
    }
  }
  return steps;
}

/** The imports of a file. The index of a feature stands for its files. */
function reaches(from: string, to: string): boolean {
  if (from === to) return true;
  const source = readFileSync(join(root, "src", from), "utf8");
  const found = [...source.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)];
  const imported = found.map(([, path = ""]) => join(dirname(from), path));
  const [index] = /^features\/\w+\//.exec(to) ?? [];
  return imported.includes(to) || (index !== undefined && imported.includes(`${index}index.ts`));
}

const rowOf = (file: string): number => rows.indexOf(file.split("/")[0] ?? "");

/** The errors of a step: an import must exist and lead down, a port must be used by both sides. */
function faultOf({ from, to, port }: Step): string | undefined {
  if (port === undefined) {
    if (!reaches(from, to)) return `${from} does not import ${to}`;
    return rowOf(to) < rowOf(from) ? `${from} leads back up to ${to}` : undefined;
  }
  if (!reaches(from, port)) return `${from} does not know the port ${port}`;
  return reaches(to, port) ? undefined : `${to} does not provide the port ${port}`;
}

const page = readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8");

test("each step of a reminder's walk is an import or a port, and none leads back", () => {
  const [walk = ""] = /\*\*A reminder,[^]*?(?=\n\*\*A nag)/.exec(page) ?? [];
  const steps = stepsIn(walk.slice(walk.indexOf("\n- ")));
  const files = new Set(steps.flatMap(({ from, to }) => [from, to]));
  assert.ok(steps.length >= 15 && files.size <= 25, `${steps.length} steps, ${files.size} files`);
  assert.deepEqual(
    steps.flatMap((step) => faultOf(step) ?? []),
    [],
  );
});

test("the check names a wrong step", () => {
  const wrong =
    "`kernel/pool.ts` → `kernel/runtime.ts`; `kernel/pool.ts` ⇢ (`time/zone.ts`) `kernel/attempt.ts`";
  assert.deepEqual(stepsIn(wrong).map(faultOf), [
    "kernel/pool.ts does not import kernel/runtime.ts",
    "kernel/pool.ts does not know the port time/zone.ts",
  ]);
});
