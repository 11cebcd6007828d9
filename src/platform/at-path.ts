import { DaybookError, hasCode } from "./errors.ts";

/** Reads an input. What is wrong with it says which one it is, in `details.path`. */
export function atPath<Found>(path: string, read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    throw prefixPath(path, error);
  }
}

/** The same fault of an input, told from further outside: `input.lines` under `run` is `run.input.lines`. */
export function prefixPath(path: string, error: unknown): unknown {
  if (!hasCode(error, "invalid", "too_large")) return error;
  const { code, message, details } = error;
  const { path: inner } = details;
  const whole = typeof inner === "string" && inner !== "" ? `${path}.${inner}` : path;
  return new DaybookError(code, message, { cause: error, details: { ...details, path: whole } });
}
