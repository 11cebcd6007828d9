import { DaybookError, messageOf } from "../../platform/errors.ts";

interface Trouble {
  readonly doing: string;
  readonly endpoint: string;
  noBucket(cause: unknown): DaybookError;
}

/** What the package threw, as everybody here says it. */
export function s3Fault(cause: unknown, { doing, endpoint, noBucket }: Trouble): DaybookError {
  if (cause instanceof DaybookError) return cause;
  const { name = "an error", $metadata } = cause as Thrown;
  if (name === "NoSuchBucket") return noBucket(cause);
  const status = $metadata?.httpStatusCode;
  const error = `${name}: ${messageOf(cause)}`;
  const about = { endpoint, error, ...(status === undefined ? {} : { status_code: status }) };
  switch (name === "CredentialsProviderError" ? "locked out" : meaningOf(status)) {
    case "nothing there":
      return new DaybookError("not_found", `There is nothing there, while ${doing}.`, {
        cause,
        details: about,
      });
    case "locked out": {
      const sentence = `${endpoint} does not let us in (${error}), while ${doing}: check the access key, its rights on the bucket, and the clock of this machine.`;
      const details = { ...about, fault: "Unreachable", code: "S3_ACCESS_ERROR" };
      return new DaybookError("refused", sentence, { cause, details });
    }
    case "not well": {
      const sentence = `${endpoint} did not answer well (${error}), while ${doing}: look whether it runs.`;
      return new DaybookError("unavailable", sentence, { cause, details: about });
    }
    case "refused": {
      const sentence = `${endpoint} refused (${error}), while ${doing}: check the bucket, its region and its address.`;
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

function meaningOf(status = 0): "nothing there" | "locked out" | "not well" | "refused" {
  if (status === 404) return "nothing there";
  if (status === 401 || status === 403) return "locked out";
  const isRefused = status >= 300 && status < 500 && status !== 408 && status !== 429;
  return isRefused ? "refused" : "not well";
}
