import type { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";

/** What an object holds. A connection that ends early throws: part of an archive would look like a damaged one. */
export async function* bodyOf(
  { Body: body, ContentLength: size }: GetObjectCommandOutput,
  fault: (error: unknown) => Error,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stream = body as Readable; // as it always is in Node
  const stop = (): void => void stream.destroy();
  signal.addEventListener("abort", stop, { once: true });
  let came = 0;
  try {
    for await (const piece of stream) {
      const bytes = piece as Uint8Array;
      came += bytes.length;
      yield bytes;
    }
    if (size !== undefined && came !== size) throw new Error(`${came} of ${size} bytes came`);
  } catch (error) {
    throw fault(error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
