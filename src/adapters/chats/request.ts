import { createHash, timingSafeEqual } from "node:crypto";

/** More than any service tells at once. */
const bytesMax = 1_048_576;

/** The whole body, or the answer to one that is not wanted. */
export async function bodyOf(request: Request): Promise<string | Response> {
  if (request.method !== "POST") return refused(405, "Send a POST.");
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) return tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > bytesMax) return tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Takes as long for any other as for one that is nearly right. */
export function isSame(given: string, ours: string): boolean {
  const [a, b] = [given, ours].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

export function refused(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status });
}

function tooLarge(): Response {
  return refused(413, `The body is too large: ${bytesMax} bytes at most.`);
}
