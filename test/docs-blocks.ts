import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The pages that show examples: those of the README's kind, and all of docs/. */
export const pages: readonly string[] = globSync(["*.md", "docs/**/*.md"], {
  cwd: root,
}).toSorted();

/** A code block of a page. */
export interface Block {
  readonly page: string;
  /** The line of the page on which its code begins. */
  readonly line: number;
  /** `sh`, `yaml`, `json`, `ts`, or nothing: a drawing or a transcript. */
  readonly language: string;
  readonly code: string;
}

export function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** The blocks of one page, from the top. */
export function blocksOf(page: string): readonly Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(
    ({ 1: language = "", 2: code = "", index }) => ({
      page,
      line: text.slice(0, index).split("\n").length + 1,
      language,
      code,
    }),
  );
}

export function blocksIn(language: string): readonly Block[] {
  return pages.flatMap(blocksOf).filter((block) => block.language === language);
}

/** Commands that no test runs as they stand, and why. Each must stand in a page. */
export const notRun: Readonly<Record<string, string>> = {
  "npm ci && npm start": "the daemon of the test is started instead",
  "daybook attach": "listens until it is stopped",
  "daybook question answer q-20261116-001 yes": "needs a question of a handler",
  'daybook question cancel q-20261116-001 --reason "decided by hand"':
    "needs a question of a handler",
  "daybook calendar connect google": "waits for a person in a browser",
  "daybook calendar connect google --calendar-id Daybook": "waits for a person in a browser",
  "daybook run answer ID yes": "needs a function that asks",
};

/** Pages whose TypeScript is not run, and why. */
export const fragments: Readonly<Record<string, string>> = {
  "docs/feature.md": "parts of examples/todo, which has tests of its own",
};

/** The commands of a block: all lines of a script, or what stands behind `$` in a transcript. */
export function commandsOf({ language, code }: Block): readonly string[] {
  const lines = code.trimEnd().split("\n");
  const typed =
    language === "sh"
      ? lines
      : lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  return typed.filter((line) => line !== "" && !line.startsWith("#"));
}

/** The command of a line, without its comment. */
export function withoutComment(line: string): string {
  return line.replace(/\s+# .*$/, "");
}

/**
 * Writes the programs of a page into a folder, each under the name in its first line, and returns these names in the
 * order of the page.
 */
export function writePrograms(
  page: string,
  folder: string,
  change: (code: string) => string,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const blocks = blocksOf(page).filter(({ language }) => language === "ts");
  return blocks.map(({ code }, index) => {
    const name = /^\/\/ ([\w.-]+\.ts)$/m.exec(code)?.[1] ?? `example-${index + 1}.ts`;
    writeFileSync(join(folder, name), change(code));
    return name;
  });
}
