import type { Fact } from "../memory/model.ts";

/** A line's content: what one commit made true. */
export interface Entry {
  /** The newest number that the model has given out. */
  readonly seq: number;
  readonly facts: readonly Fact[];
}

type Text = Exclude<Fact, { what: "bytes" }> | { what: "bytes"; chunk: BytesText };

interface BytesText {
  id: string;
  stream: string;
  base64: string;
}

/** An entry as plain JSON: bytes become text. */
export function packEntry({ seq, facts }: Entry): unknown {
  return { seq, facts: facts.map(packFact) };
}

/** Only what `packEntry` made comes here: its line's checksum says so. */
export function unpackEntry(content: unknown): Entry {
  const { seq, facts } = content as { seq: number; facts: readonly Text[] };
  return { seq, facts: facts.map(unpackFact) };
}

function packFact(fact: Fact): Text {
  if (fact.what !== "bytes") return fact;
  const { id, stream, bytes } = fact.chunk;
  return { what: "bytes", chunk: { id, stream, base64: Buffer.from(bytes).toString("base64") } };
}

function unpackFact(fact: Text): Fact {
  if (fact.what !== "bytes") return fact;
  const { id, stream, base64 } = fact.chunk;
  return { what: "bytes", chunk: { id, stream, bytes: Buffer.from(base64, "base64") } };
}
