import type * as Package from "@aws-sdk/client-s3";
import type { S3Client } from "@aws-sdk/client-s3";
import { throwIfStopped, stoppedError } from "../../platform/byte-stream.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { loadPackage } from "../../platform/optional-package.ts";

type S3Package = typeof Package;
type S3 = S3Package & { readonly client: S3Client };

export interface S3ServiceOptions {
  readonly bucket: string;
  /** Of a service other than Amazon's: `http://host:9000`. Buckets are then in the path. */
  readonly endpoint?: string | undefined;
  readonly region?: string;
  /** Default: as Amazon's own programs find them. */
  readonly credentials?:
    | {
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly sessionToken?: string;
      }
    | undefined;
  /** Replaces all of these but the bucket. */
  readonly client?: S3Client;
  /** The longest time without a byte. */
  readonly timeoutMs?: number;
  load?(): Promise<S3Package>;
}

/** Calls the service, with its errors as `DaybookError`. */
export interface S3Service {
  readonly endpoint: string;
  call<T>(
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
      `The bucket ${bucket} does not exist at ${endpoint}: create it, or configure another.`,
      {
        cause,
        details: { endpoint, status_code: 404 },
      },
    );
  const fault: S3Service["fault"] = (error, doing, signal) => {
    if (signal.aborted) return stoppedError();
    return s3Fault(error, { doing, endpoint, noBucket });
  };
  return {
    endpoint,
    fault,
    noBucket,
    async call(doing, signal, run) {
      throwIfStopped(signal);
      loading ??= loaded(load, options);
      try {
        const s3 = await loading;
        // The package may leave its listener on a signal, so it gets one of its own.
        return await run(s3, AbortSignal.any([signal]));
      } catch (error) {
        throw fault(error, doing, signal);
      }
    },
  };
}

async function loaded(load: () => Promise<S3Package>, options: S3ServiceOptions): Promise<S3> {
  const found = await loadPackage("Archives in S3 need", "@aws-sdk/client-s3", load);
  return { ...found, client: options.client ?? clientOf(found, options) };
}

function clientOf({ S3Client }: S3Package, options: S3ServiceOptions): S3Client {
  const { endpoint, region = "us-east-1", credentials, timeoutMs = 60_000 } = options;
  const isOther = endpoint !== undefined;
  const service = present({
    endpoint,
    credentials,
    forcePathStyle: isOther || undefined,
    // Archives are read back and hashed by Daybook; checksums make other services refuse.
    requestChecksumCalculation: isOther ? "WHEN_REQUIRED" : undefined,
  });
  return new S3Client({
    ...service,
    region,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, 10_000),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

interface FaultContext {
  readonly doing: string;
  readonly endpoint: string;
  noBucket(cause: unknown): DaybookError;
}

/** An error of the package as a `DaybookError`. */
function s3Fault(cause: unknown, { doing, endpoint, noBucket }: FaultContext): DaybookError {
  if (cause instanceof DaybookError) return cause;
  const { name = "an error", $metadata } = cause as Thrown;
  if (name === "NoSuchBucket") return noBucket(cause);
  const status = $metadata?.httpStatusCode;
  const error = `${name}: ${messageOf(cause)}`;
  const about = { endpoint, error, status_code: status };
  switch (name === "CredentialsProviderError" ? "denied" : meaningOf(status)) {
    case "missing":
      return new DaybookError("not_found", `Not found while ${doing}.`, {
        cause,
        details: about,
      });
    case "denied": {
      const sentence = `${endpoint} denied access (${error}) while ${doing}: check the access key, its permissions on the bucket, and the clock of this machine.`;
      const details = { ...about, fault: "Unreachable", code: "S3_ACCESS_ERROR" };
      return new DaybookError("refused", sentence, { cause, details });
    }
    case "failing": {
      const sentence = `${endpoint} failed (${error}) while ${doing}: check that it runs.`;
      return new DaybookError("unavailable", sentence, { cause, details: about });
    }
    case "refused": {
      const sentence = `${endpoint} refused the request (${error}) while ${doing}: check the bucket, its region and its address.`;
      return new DaybookError("refused", sentence, {
        cause,
        details: { ...about, fault: "ActionFailed" },
      });
    }
  }
}

interface Thrown {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function meaningOf(status = 0): "missing" | "denied" | "failing" | "refused" {
  if (status === 404) return "missing";
  if (status === 401 || status === 403) return "denied";
  const isRefused = status >= 300 && status < 500 && status !== 408 && status !== 429;
  return isRefused ? "refused" : "failing";
}
