import { harmless } from "../../platform/text.ts";
import { exits, type CliPorts, type GivenInput, type OperationEntry, type Run } from "./command.ts";

interface Part {
  readonly chunk: string;
  readonly remaining: number;
  readonly next_offset: number | null;
}

/** As much as one answer may have. */
const charsMax = 8_000;

/** Shows a run's output whole, part after part, unless a part was asked for. */
export function wholeOutput(run: Run, operation: OperationEntry): Run {
  return async (typed, ports) => {
    const { input, json } = typed;
    if (input["offset"] !== undefined || input["max_chars"] !== undefined || isEmpty(input)) {
      return run(typed, ports);
    }
    const { last, chunk } = await readWhole(operation, input, ports);
    if (json) ports.out(JSON.stringify({ ...last, offset: 0, max_chars: chunk.length, chunk }));
    else if (chunk === "") return run(typed, ports);
    else ports.out(harmless(chunk).replace(/\n$/, ""));
    return exits.done;
  };
}

function isEmpty(input: GivenInput): boolean {
  return Object.keys(input).length === 0;
}

async function readWhole(
  operation: OperationEntry,
  input: GivenInput,
  ports: CliPorts,
): Promise<{ last: Part; chunk: string }> {
  const chunks: string[] = [];
  for (let offset = 0; ;) {
    const part = { ...input, offset, max_chars: charsMax };
    const { output } = await ports.ask(operation, part, "json");
    const last = output as Part; // the operation's own answer
    chunks.push(last.chunk);
    if (last.next_offset === null) return { last, chunk: chunks.join("") };
    offset = last.next_offset;
  }
}
