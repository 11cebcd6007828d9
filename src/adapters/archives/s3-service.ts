import type * as Package from "@aws-sdk/client-s3";
import type { S3Client } from "@aws-sdk/client-s3";
import { throwIfStopped, toldToStop } from "../../platform/byte-stream.ts";
import { DaybookError } from "../../platform/errors.ts";
import { s3Fault } from "./s3-fault.ts";

type S3Package = typeof Package;
type S3 = S3Package & { readonly client: S3Client };

export interface S3ServiceOptions {
  readonly bucket: string;
  /** Of what is not Amazon's: `http://host:9000`. Buckets are then named in the path. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Absent: as Amazon's own programs find them. */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** In place of all of these but the bucket. */
  readonly client?: S3Client;
  /** How long nothing may come before it is given up. */
  readonly timeoutMs?: number;
  load?(): Promise<S3Package>;
}

/** Asks the service, and says what went wrong as everybody here does. */
export interface S3Service {
  readonly endpoint: string;
  ask<T>(
    doing: string,
    signal: AbortSignal,
    run: (s3: S3, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  fault(error: unknown, doing: string, signal: AbortSignal): DaybookError;
  noBucket(cause: unknown): DaybookError;
}

export function s3Service(options: S3ServiceOptions): S3Service {
  const { bucket, endpoint = "s3", load = () => import("@aws-sdk/client-s3") } = options;
  let loading: Promise<S3> | undefined;
  const noBucket = (cause: unknown) =>
    new DaybookError(
      "unavailable",
      `There is no bucket ${bucket} at ${endpoint}: make it, or name another.`,
      {
        cause,
        details: { endpoint, status_code: 404 },
      },
    );
  const fault: S3Service["fault"] = (error, doing, signal) => {
    if (signal.aborted) return toldToStop();
    return s3Fault(error, { doing, endpoint, noBucket });
  };
  return {
    endpoint,
    fault,
    noBucket,
    async ask(doing, signal, run) {
      throwIfStopped(signal);
      loading ??= loaded(load, options);
      try {
        const s3 = await loading;
        // The package may leave its listener on a signal; this one is only ours.
        return await run(s3, AbortSignal.any([signal]));
      } catch (error) {
        throw fault(error, doing, signal);
      }
    },
  };
}

async function loaded(load: () => Promise<S3Package>, options: S3ServiceOptions): Promise<S3> {
  const name = "@aws-sdk/client-s3";
  try {
    const found = await load();
    return { ...found, client: options.client ?? clientOf(found, options) };
  } catch (cause) {
    const sentence = `Archives in S3 need the package ${name}, and it is not there: npm install ${name}.`;
    throw new DaybookError("unsupported", sentence, { cause });
  }
}

function clientOf({ S3Client }: S3Package, options: S3ServiceOptions): S3Client {
  const { endpoint, region = "us-east-1", credentials, timeoutMs = 60_000 } = options;
  return new S3Client({
    region,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, 10_000),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
    // What is kept is read back and hashed by us; sums of its own make other services refuse.
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint === undefined
      ? {}
      : { endpoint, forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" as const }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}
