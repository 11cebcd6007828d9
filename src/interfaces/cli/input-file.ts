import { DaybookError, messageOf } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { CliPorts } from "./command.ts";

/** The text of a file that was named. */
export async function readFile(path: string, ports: Pick<CliPorts, "file">): Promise<string> {
  try {
    return await readStdin(ports.file(path));
  } catch (cause) {
    if (cause instanceof DaybookError) throw cause;
    const sentence = `${quote(path)} cannot be read: ${messageOf(cause)}.`;
    throw new DaybookError("invalid", sentence, { cause });
  }
}

/** JSON that is elsewhere: `@FILE`, or `-` for what comes in. */
export async function jsonAt(
  where: string,
  name: string,
  ports: Pick<CliPorts, "file" | "stdin">,
): Promise<unknown> {
  const text = await (where === "-" ? readStdin(ports.stdin()) : readFile(where.slice(1), ports));
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what = where === "-" ? "What came in" : quote(where.slice(1));
    throw new DaybookError("invalid", `${what} is no JSON, and ${quote(name)} must be.`, { cause });
  }
}

/** An input that stands in a file: alone, or under its own name with others beside it. */
export function fromJson(name: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    const isInput = typeof value === "object" && value !== null && !Array.isArray(value);
    return isInput ? { [name]: undefined, ...value } : { [name]: value };
  } catch (cause) {
    throw new DaybookError("invalid", "What came in is no JSON: send a list of rows.", { cause });
  }
}

/** More than any message may have, so that its own limit is what is told. */
const bytesMax = 256 * 1024;

/** The whole text, without the line end that `echo` adds. */
export async function readStdin(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const sentence = `What came in is over ${bytesMax} bytes: send less.`;
      throw new DaybookError("too_large", sentence, { details: { bytesMax } });
    }
    read.push(chunk);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(read));
    return text.replace(/\r?\n$/, "");
  } catch (cause) {
    throw new DaybookError("invalid", "What came in is no text: send UTF-8.", { cause });
  }
}
