import type { Row } from "../memory/row.ts";

/** What a file of ours says of its record. */
export interface EmbeddedRecord {
  readonly id: string;
  readonly revision: number;
  readonly attempt: number;
  readonly lease: unknown;
}

export function embeddedIn(text: string): EmbeddedRecord | undefined {
  try {
    return embeddedOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Undefined: the content is somebody else's. */
export function embeddedOf(json: unknown): EmbeddedRecord | undefined {
  const whole = asObject(json);
  // Before the view stood beside it, the record was all of the file.
  const { id, kind, revision, attempt, lease } = asObject(whole?.["daybook"]) ?? whole ?? {};
  if (typeof id !== "string" || typeof kind !== "string") return undefined;
  if (typeof revision !== "number" || typeof attempt !== "number") return undefined;
  return { id, revision, attempt, lease };
}

/** Whether the file shows the row as it still is, free and in that state: only its folder is another. */
export function isFree(
  { id, revision, attempt, lease }: EmbeddedRecord,
  row: Row,
  state: string,
): boolean {
  if (row.lease !== null || row.state !== state || lease !== null) return false;
  return id === row.id && revision === row.revision && attempt === row.attempt;
}

export function asObject(json: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  return json as Readonly<Record<string, unknown>>;
}
