import { DaybookError, hasCode } from "./errors.ts";

/** Reads an input. An error names the input in `details.path`. */
export function readInput<Found>(path: string, read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    throw prefixInputPath(path, error);
  }
}

/** The same error with a longer path: `input.lines` under `run` is `run.input.lines`. */
export function prefixInputPath(path: string, error: unknown): unknown {
  if (!hasCode(error, "invalid", "too_large")) return error;
  const { code, message, details } = error;
  const { path: inner } = details;
  const fullPath = typeof inner === "string" && inner !== "" ? `${path}.${inner}` : path;
  return new DaybookError(code, message, { cause: error, details: { ...details, path: fullPath } });
}
