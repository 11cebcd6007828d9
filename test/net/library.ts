import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { entries } from "./internals.ts";
import { canonicalType } from "./type-text.ts";

const root = join(import.meta.dirname, "..", "..");

/** The types that the package exports, as a program names them. For a ledger only names: its records may change. */
const exported: Readonly<Record<string, string>> = {
  ErrorCode: "main.ErrorCode",
  DaybookError: "Omit<main.DaybookError, keyof Error>",
  OpenOptions:
    "Omit<main.OpenOptions, 'store'> & { store: Exclude<main.OpenOptions['store'], main.Ledger> | 'a Ledger' }",
  "Daybook, beside its methods": "Omit<Book, Method | 'as' | 'ledger' | 'within'>",
  "Daybook.as(), its input": "Parameters<Book['as']>",
  "Daybook.within(), its input": "Parameters<Book['within']>",
  "Ledger: names": "keyof main.Ledger",
  "Book: names": "keyof main.Book",
  "Work: names": "keyof main.Work",
  "Verbs: names": "keyof main.Verbs",
  "Transport: names": "keyof main.Transport",
  Channel: "main.Channel",
  Message: "main.Message",
  Mark: "main.Mark",
  SendAttempt: "main.SendAttempt",
  Sent: "main.Sent",
  Auth: "main.Auth",
  HostCaller: "main.HostCaller",
  Executor: "main.Executor",
  Inside:
    "{ [Name in keyof main.Inside]: Name extends Method ? 'as in Daybook' : main.Inside[Name] }",
  RunHandle: "main.RunHandle",
  RunOptions: "main.RunOptions",
  TaskContext: "main.TaskContext",
  TaskDefinition: "main.TaskDefinition<'input', 'output'>",
  TaskOptions: "main.TaskOptions<'input', 'output'>",
  "task()": "ReturnType<typeof main.task<'input', 'output'>>",
  "open()": "Parameters<typeof main.open>['length']",
  ConnectOptions: "client.ConnectOptions",
  "Remote: names": "keyof client.Remote",
  "Remote: methods that differ from Daybook": "Different<Book, client.Remote>",
  "Remote.run": "Parameters<client.Remote['run']>",
  TestOptions: "testing.TestOptions",
  "TestDaybook: names": "keyof testing.TestDaybook",
  "TestDaybook: methods that differ from Daybook": "Different<Book, testing.TestDaybook>",
  "TestDaybook, beside its methods":
    "Omit<testing.TestDaybook, Exclude<Method, 'explain'> | 'as' | 'fetch'>",
  Said: "testing.Said",
  "OpenStore, what it opens: names": "keyof testing.StoreUnderTest",
};

/** Compiles a file that expands the types, and reads the declarations that the compiler writes. */
export async function libraryTypes(
  methods: readonly string[],
  folder: string,
): Promise<{ types: string; names: string }> {
  const list = [
    ...Object.entries(exported),
    ...methods.map((name) => [`Daybook.${name}`, `Book["${name}"]`] as const),
  ];
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "probe.ts"), probe(list, methods));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project(folder)));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", folder]);
  } catch (error) {
    const { stdout } = error as { stdout: string };
    throw new Error(`The types cannot be printed:\n${stdout}`, { cause: error });
  }
  const out = join(folder, "out");
  const text = readFileSync(join(out, folder, "probe.d.ts"), "utf8");
  return { types: typesIn(text, list), names: namesIn(join(out, root)) };
}

function probe(list: readonly (readonly [string, string])[], methods: readonly string[]): string {
  const net = import.meta.dirname;
  return [
    // A copy, because the compiler prints the path of an imported type.
    readFileSync(join(net, "expand.ts"), "utf8"),
    `import type { client, main, testing } from "${net}/internals.ts";`,
    "type Book = main.Daybook;",
    `type Method = ${methods.map((name) => `"${name}"`).join(" | ")};`,
    ...list.map(([, type], at) => `export const type${at} = expand<${type}>();`),
  ].join("\n");
}

function project(folder: string): object {
  return {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      noCheck: true, // `npm run types` checks
      emitDeclarationOnly: true,
      rootDir: "/",
      outDir: join(folder, "out"),
      typeRoots: [join(root, "node_modules", "@types")],
    },
    include: [],
    files: ["probe.ts"],
  };
}

function typesIn(text: string, list: readonly (readonly [string, string])[]): string {
  const [, ...printed] = text.split(/^export declare const /m);
  const byName = new Map(
    printed.map((each) => {
      const [, name = "", type = ""] = /^(\w+): ([^]*?);\s*(?:export \{\};\s*)?$/.exec(each) ?? [];
      return [name, type];
    }),
  );
  return list
    .map(([title], at) => `${title}: ${canonicalType(byName.get(`type${at}`) ?? "")}`)
    .join("\n\n");
}

/** The names that each entry point exports, types too. */
function namesIn(out: string): string {
  return Object.entries(entries)
    .map(([name, file]) => {
      const text = readFileSync(join(out, file.replace(/\.ts$/, ".d.ts")), "utf8");
      if (/^export \*/m.test(text)) throw new Error(`${file} exports all of another file.`);
      const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, all = ""]) =>
        all.split(",").map((each) => each.trim().replace(/^(?:type )?(?:\w+ as )?/, "")),
      );
      const own =
        /^export (?:declare )?(?:abstract )?(?:interface|type|function|class|const) (\w+)/gm;
      const names = [...lists, ...[...text.matchAll(own)].map(([, each = ""]) => each)];
      return `${name}: ${[...new Set(names)].filter(Boolean).toSorted().join(", ")}`;
    })
    .join("\n");
}
