import type { Bytes } from "../../platform/byte-stream.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { S3Service } from "./s3-service.ts";

const partsMax = 10_000;

interface Upload {
  readonly service: S3Service;
  readonly to: { readonly Bucket: string; readonly Key: string };
  readonly partBytes: number;
  readonly signal: AbortSignal;
}

/** Uploads in parts, with two in memory at a time. The object exists once it is complete. */
export async function upload(about: Upload, bytes: Bytes): Promise<void> {
  const parts = partsOf(bytes, about.partBytes);
  try {
    const first = await parts.next();
    const second = first.done === true ? first : await parts.next();
    if (second.done === true) return await putAtOnce(about, first.value ?? Buffer.alloc(0));
    await putInParts(about, chain([first.value ?? Buffer.alloc(0), second.value], parts));
  } finally {
    await parts.return(undefined);
  }
}

async function putAtOnce({ service, to, signal }: Upload, body: Buffer): Promise<void> {
  await service.call(doing(to.Key), signal, ({ client, PutObjectCommand }, abortSignal) =>
    client.send(new PutObjectCommand({ ...to, Body: body }), { abortSignal }),
  );
}

async function putInParts(about: Upload, parts: AsyncIterable<Buffer>): Promise<void> {
  const { service, to, signal } = about;
  const { UploadId } = await service.call(
    doing(to.Key),
    signal,
    ({ client, CreateMultipartUploadCommand }, abortSignal) =>
      client.send(new CreateMultipartUploadCommand(to), { abortSignal }),
  );
  const upload = { ...to, UploadId };
  try {
    const sent: { PartNumber: number; ETag: string | undefined }[] = [];
    for await (const body of parts) {
      const part = { ...upload, PartNumber: sent.length + 1 };
      if (part.PartNumber > partsMax) throw tooLarge(about);
      const { ETag } = await service.call(
        doing(to.Key),
        signal,
        ({ client, UploadPartCommand }, abortSignal) =>
          client.send(new UploadPartCommand({ ...part, Body: body }), { abortSignal }),
      );
      sent.push({ PartNumber: part.PartNumber, ETag });
    }
    await service.call(
      doing(to.Key),
      signal,
      ({ client, CompleteMultipartUploadCommand }, abortSignal) =>
        client.send(
          new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: sent } }),
          { abortSignal },
        ),
    );
  } catch (error) {
    await giveUp(service, upload);
    throw error;
  }
}

/** Parts of an incomplete upload cost money until they are removed. */
async function giveUp(
  service: S3Service,
  upload: Upload["to"] & { readonly UploadId: string | undefined },
): Promise<void> {
  const { signal } = new AbortController();
  try {
    await service.call(
      "giving up",
      signal,
      ({ client, AbortMultipartUploadCommand }, abortSignal) =>
        client.send(new AbortMultipartUploadCommand(upload), { abortSignal }),
    );
  } catch {
    // The first error is the one to report.
  }
}

async function* partsOf(bytes: Bytes, partBytes: number): AsyncGenerator<Buffer, undefined> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    for (let rest = piece; rest.length > 0;) {
      const taken = rest.subarray(0, partBytes - size);
      rest = rest.subarray(taken.length);
      held.push(taken);
      size += taken.length;
      if (size < partBytes) continue;
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}

async function* chain(
  first: readonly Buffer[],
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}

function doing(key: string): string {
  return `writing the archive ${key}`;
}

function tooLarge({ partBytes, to }: Upload): DaybookError {
  const sentence = `The archive ${to.Key} is larger than ${partsMax} parts of ${partBytes} bytes: remove files from the workspace.`;
  return new DaybookError("too_large", sentence, { details: { fault: "ActionFailed" } });
}
