import { DaybookError, messageOf } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { CliPorts } from "./command.ts";

/** The text of a named file. */
export async function readFile(path: string, ports: Pick<CliPorts, "file">): Promise<string> {
  return readStdin(fileBytes(path, ports));
}

/** The bytes of a named file, in pieces. */
export async function* fileBytes(
  path: string,
  ports: Pick<CliPorts, "file">,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* ports.file(path);
  } catch (cause) {
    if (cause instanceof DaybookError) throw cause;
    const sentence = `${quote(path)} cannot be read: ${messageOf(cause)}.`;
    throw new DaybookError("invalid", sentence, { cause });
  }
}

/** JSON from `@FILE`, or from standard input for `-`. */
export async function jsonAt(
  location: string,
  name: string,
  ports: Pick<CliPorts, "file" | "stdin">,
): Promise<unknown> {
  const text = await (location === "-"
    ? readStdin(ports.stdin())
    : readFile(location.slice(1), ports));
  try {
    return JSON.parse(text);
  } catch (cause) {
    const source = location === "-" ? "The input" : `The file ${quote(location.slice(1))}`;
    const sentence = `${source} is not JSON: give ${quote(name)} as JSON.`;
    throw new DaybookError("invalid", sentence, { cause });
  }
}

/** An input from a file: the value alone, or an object that has it under its name with other inputs beside it. */
export function fromJson(name: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    const isInput = typeof value === "object" && value !== null && !Array.isArray(value);
    return isInput ? { [name]: undefined, ...value } : { [name]: value };
  } catch (cause) {
    throw new DaybookError("invalid", "The input is not JSON: send a JSON list of rows.", {
      cause,
    });
  }
}

/** More than any message may have, so that the error names the limit of the message. */
const messageBytesMax = 256 * 1024;

/** The whole text, without the line end that `echo` adds. */
export async function readStdin(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax = messageBytesMax,
): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const sentence = `The input is over ${bytesMax} bytes: send less.`;
      throw new DaybookError("too_large", sentence, { details: { bytesMax } });
    }
    read.push(chunk);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(read));
    return text.replace(/\r?\n$/, "");
  } catch (cause) {
    throw new DaybookError("invalid", "The input is not text: send it in UTF-8.", { cause });
  }
}
