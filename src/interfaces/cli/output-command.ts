import { checkInput } from "../../kernel/check-input.ts";
import type { Operation } from "../../kernel/operation.ts";
import { harmless } from "../../platform/text.ts";
import { exits, type CliPorts, type Command } from "./command.ts";

interface Part {
  readonly chunk: string;
  readonly remaining: number;
  readonly next_offset: number | null;
}

/** As much as one answer may have. */
const charsMax = 8_000;

/** Shows a run's output whole, part after part, unless a part was asked for. */
export function wholeOutput(command: Command, operation: Operation): Command {
  return {
    ...command,
    async run(typed, ports) {
      const { input, json } = typed;
      if (input["offset"] !== undefined || input["max_chars"] !== undefined) {
        return command.run(typed, ports);
      }
      checkInput(operation, input);
      const { last, chunk, say } = await readWhole(operation, input, ports);
      if (json) ports.out(JSON.stringify({ ...last, offset: 0, max_chars: chunk.length, chunk }));
      else ports.out(chunk === "" ? say : harmless(chunk).replace(/\n$/, ""));
      return exits.done;
    },
  };
}

async function readWhole(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  ports: CliPorts,
): Promise<{ last: Part; chunk: string; say: string }> {
  const chunks: string[] = [];
  for (let offset = 0; ;) {
    const asked = { ...input, offset, max_chars: charsMax };
    const { output, reader } = await ports.ask(operation, asked);
    const last = output as Part; // the operation's own answer
    chunks.push(last.chunk);
    if (last.next_offset === null) {
      return { last, chunk: chunks.join(""), say: operation.say(output, reader) };
    }
    offset = last.next_offset;
  }
}
