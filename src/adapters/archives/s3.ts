import type { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import type { Archives } from "../../features/workspaces/index.ts";
import { stoppable, throwIfStopped } from "../../platform/byte-stream.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { checkKey } from "./key.ts";
import { s3Service, type S3Service, type S3ServiceOptions } from "./s3-service.ts";
import { upload } from "./s3-upload.ts";

interface S3Options extends S3ServiceOptions {
  /** The prefix of every key, with a slash between; empty: none. */
  readonly prefix?: string;
  /** The size of a part; S3 takes at least 5 MiB, and at most 10,000 parts. */
  readonly partBytes?: number;
}

/** Archives in a bucket of Amazon S3, or of a compatible service. */
export function s3(options: S3Options): Archives {
  const { bucket, prefix = "", partBytes = 8 * 1024 ** 2 } = options;
  const service = s3Service(options);
  const under = prefix.replaceAll(/^\/+|\/+$/g, "");
  const before = under === "" ? "" : `${checkKey(under)}/`;
  const objectAt = (key: string) => ({ Bucket: bucket, Key: `${before}${checkKey(key)}` });
  return {
    name: "s3",
    async put(key, bytes, signal) {
      const to = objectAt(key);
      throwIfStopped(signal);
      await upload({ service, to, partBytes, signal }, stoppable(bytes, signal));
    },
    async get(key, signal) {
      const doing = `reading the archive ${key}`;
      const from = objectAt(key);
      const answer = await service.call(
        doing,
        signal,
        ({ client, GetObjectCommand }, abortSignal) =>
          client.send(new GetObjectCommand(from), { abortSignal }),
      );
      const fault = (error: unknown) => service.fault(error, doing, signal);
      return stoppable(bodyOf(answer, fault, signal), signal);
    },
    async head(key, signal) {
      const doing = `looking for the archive ${key}`;
      const from = objectAt(key);
      try {
        const { ContentLength: size = 0 } = await service.call(
          doing,
          signal,
          ({ client, HeadObjectCommand }, abortSignal) =>
            client.send(new HeadObjectCommand(from), { abortSignal }),
        );
        return { size };
      } catch (error) {
        if (!hasCode(error, "not_found")) throw error;
        await bucketIsThere(service, bucket, signal); // a missing bucket answers 404 as well
        return null;
      }
    },
    list: (wanted, signal) => listed(service, { bucket, before, wanted }, signal),
    async remove(keys, signal) {
      // One by one: DeleteObjects requires checksums that not every service knows.
      for (const from of keys.map(objectAt)) {
        await service.call(
          `removing the archive ${from.Key}`,
          signal,
          ({ client, DeleteObjectCommand }, abortSignal) =>
            client.send(new DeleteObjectCommand(from), { abortSignal }),
        );
      }
    },
    async check(signal) {
      await bucketIsThere(service, bucket, signal);
      return `archives in s3://${bucket}/${before}`;
    },
  };
}

async function bucketIsThere(
  service: S3Service,
  bucket: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await service.call(
      `looking for the bucket ${bucket}`,
      signal,
      ({ client, HeadBucketCommand }, abortSignal) =>
        client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }),
    );
  } catch (error) {
    throw hasCode(error, "not_found") ? service.noBucket(error) : error;
  }
}

interface Listing {
  readonly bucket: string;
  readonly before: string;
  readonly wanted: string;
}

async function* listed(
  service: S3Service,
  { bucket, before, wanted }: Listing,
  signal: AbortSignal,
): AsyncGenerator<{ key: string; size: number }> {
  const doing = "listing the archives";
  let token: string | undefined;
  do {
    const query = { Bucket: bucket, Prefix: `${before}${wanted}`, ContinuationToken: token };
    const page = await service.call(
      doing,
      signal,
      ({ client, ListObjectsV2Command }, abortSignal) =>
        client.send(new ListObjectsV2Command(query), { abortSignal }),
    );
    for (const { Key: key = "", Size: size = 0 } of page.Contents ?? []) {
      if (key.startsWith(before)) yield { key: key.slice(before.length), size };
    }
    token = page.NextContinuationToken;
    if (page.IsTruncated === true && token === undefined) {
      const sentence =
        "The list of archives is truncated without a continuation token: check the service.";
      throw new DaybookError("unavailable", sentence, { details: { endpoint: service.endpoint } });
    }
  } while (token !== undefined);
}

/** The content of an object. A truncated answer throws, or it would look like a damaged archive. */
async function* bodyOf(
  { Body: body, ContentLength: size }: GetObjectCommandOutput,
  fault: (error: unknown) => Error,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stream = body as Readable; // as it always is in Node
  const stop = (): void => void stream.destroy();
  signal.addEventListener("abort", stop, { once: true });
  let received = 0;
  try {
    for await (const piece of stream) {
      const bytes = piece as Uint8Array;
      received += bytes.length;
      yield bytes;
    }
    if (size !== undefined && received !== size)
      throw new Error(`${received} of ${size} bytes received`);
  } catch (error) {
    throw fault(error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
