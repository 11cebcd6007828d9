import type { Chunk } from "../reading.ts";
import type { Verbs } from "../verbs.ts";
import type { Write, Written } from "../work-unit.ts";
import { find, findLeased } from "./find.ts";
import type { Model } from "./model.ts";

const readBytesMax = 1024 * 1024;

export function write(model: Model, chunk: Write): Written {
  const { id, stream, offset, bytes } = chunk;
  if (!findLeased(model, chunk)) return { result: "stale" };
  const { length: size } = streamOf(model, id, stream);
  if (offset !== size) return { result: "gap", size };
  if (bytes.length > 0) grow(model, chunk, size);
  return { result: "written", size: size + bytes.length };
}

export function read(model: Model, { who, query }: Verbs["read"]["input"]): Chunk {
  const { id } = find(model, who.owner, query.id);
  const whole = streamOf(model, id, query.stream);
  const until = query.offset + Math.min(query.limit, readBytesMax);
  return { bytes: whole.slice(query.offset, until), size: whole.length };
}

function streamOf(model: Model, id: string, stream: string): Uint8Array {
  return model.output.get(id)?.get(stream) ?? new Uint8Array();
}

function grow(model: Model, { id, stream, bytes }: Write, size: number): void {
  const whole = new Uint8Array(size + bytes.length);
  whole.set(streamOf(model, id, stream));
  whole.set(bytes, size);
  const streams = model.output.get(id) ?? new Map<string, Uint8Array>();
  model.output.set(id, streams.set(stream, whole));
}
