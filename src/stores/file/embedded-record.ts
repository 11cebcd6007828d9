import type { Row } from "../memory/row.ts";

/** What a file of ours says of its record. */
export interface Mark {
  readonly id: string;
  readonly revision: number;
  readonly attempt: number;
  readonly lease: unknown;
}

export function markIn(text: string): Mark | undefined {
  try {
    return markOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Undefined: the content is somebody else's. */
export function markOf(json: unknown): Mark | undefined {
  const whole = asObject(json);
  // Before there were other words beside it, the record was all of the file.
  const { id, kind, revision, attempt, lease } = asObject(whole?.["daybook"]) ?? whole ?? {};
  if (typeof id !== "string" || typeof kind !== "string") return undefined;
  if (typeof revision !== "number" || typeof attempt !== "number") return undefined;
  return { id, revision, attempt, lease };
}

/** Whether the file is as it was shown for what the row still is: only its place is another. */
export function isTaken({ id, revision, attempt, lease }: Mark, row: Row): boolean {
  if (row.lease !== null || row.state !== "pending" || lease !== null) return false;
  return id === row.id && revision === row.revision && attempt === row.attempt;
}

export function asObject(json: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  return json as Readonly<Record<string, unknown>>;
}
