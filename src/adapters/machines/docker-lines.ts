import { StringDecoder } from "node:string_decoder";

/** The JSON values of a stream that has one in each line. What is no JSON is left out. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.write(Buffer.from(piece))).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* valueOf(line);
  }
  yield* valueOf(rest + decoder.end());
}

function valueOf(line: string): unknown[] {
  if (line.trim() === "") return [];
  try {
    return [JSON.parse(line) as unknown];
  } catch {
    return [];
  }
}
