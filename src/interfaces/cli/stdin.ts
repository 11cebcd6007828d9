import { DaybookError } from "../../platform/errors.ts";

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
