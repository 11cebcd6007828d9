import assert from "node:assert/strict";
import { errorsIn } from "../src/app/error-texts.ts";
import { table } from "../src/features/index.ts";
import type {
  Answer,
  AnswerFormat,
  CliPorts,
  GivenInput,
  OperationEntry,
} from "../src/interfaces/cli/command.ts";
import { runCli } from "../src/interfaces/cli/main.ts";
import { manifest } from "../src/interfaces/cli/manifest.ts";
import { callOperation, checkInput } from "../src/kernel/call.ts";
import type { Operation } from "../src/kernel/operation.ts";
import { seededRandom } from "../src/platform/random.ts";
import { bookFixture, type BookFixture } from "./book-fixture.ts";

/** What one command line answered. */
export interface Said {
  exit: number;
  out: string;
  err: string;
  /** How often the book was asked. */
  asked: number;
}

/** A terminal over a book in memory. What a test does not give, its command must not reach. */
export function terminal(
  change: Partial<CliPorts> = {},
  { mina, clock, reader }: BookFixture = bookFixture(),
): { ports: CliPorts; said: Said } {
  const said: Said = { exit: -1, out: "", err: "", asked: 0 };
  const missing = (name: string) => (): never => {
    throw new Error(`nobody gave ${name}`);
  };
  const ports: CliPorts = {
    out: (text) => void (said.out += `${text}\n`),
    err: (text) => void (said.err += `${text}\n`),
    show: async (text) => void (said.out += `${text}\n`),
    color: false,
    columns: null,
    version: "1.2.3",
    cwd: "/home/mina",
    clock,
    random: seededRandom(7),
    reader: async () => reader(),
    errorsIn,
    commands: manifest,
    async ask({ name }, input, format) {
      checkInput(operationOf(name), input);
      said.asked += 1;
      return askBook({ installation: mina, caller: mina })({ name }, input, format);
    },
    asking: (use) => use(ports.ask),
    progress: () => undefined,
    confirm: missing("confirm"),
    listenForBrowser: missing("listenForBrowser"),
    openBrowser: missing("openBrowser"),
    stdin: missing("stdin"),
    file: missing("file"),
    interrupts: () => new AbortController().signal,
    serve: missing("serve"),
    mcp: missing("mcp"),
    daemon: missing("daemon"),
    connect: missing("connect"),
    status: missing("status"),
    facts: missing("facts"),
    runProgram: missing("runProgram"),
    post: missing("post"),
    config: {
      check: missing("check"),
      show: missing("show"),
      schema: missing("schema"),
      example: missing("example"),
      init: missing("init"),
      add: missing("add"),
    },
    withConfig: missing("using"),
    ...change,
  };
  return { ports, said };
}

interface Book {
  readonly installation: Parameters<typeof callOperation>[0];
  readonly caller: Parameters<typeof callOperation>[3];
}

/** Asks a book, and renders what it answers. */
export function askBook({ installation, caller }: Book) {
  return async (
    { name }: Pick<OperationEntry, "name">,
    input: GivenInput,
    format: AnswerFormat,
  ): Promise<Answer> => {
    const operation = operationOf(name);
    const typed = { ...caller, typed: true };
    const { output, reader } = await callOperation(installation, operation, input, typed);
    if (format === "json") return { text: JSON.stringify(output), output };
    return { text: operation.render(output, { ...reader, terminal: format }) };
  };
}

function operationOf(name: string): Operation {
  return table.find((each) => each.name === name) ?? assert.fail(name);
}

/** Types one command line. */
export async function type(
  typed: readonly string[],
  change: Partial<CliPorts> = {},
  at: BookFixture = bookFixture(),
): Promise<Said> {
  const { ports, said } = terminal(change, at);
  said.exit = await runCli(typed, ports);
  return said;
}
