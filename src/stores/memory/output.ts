import type { Chunk } from "../../kernel/query.ts";
import type { Verbs } from "../../kernel/verbs.ts";
import type { Write, Written } from "../../kernel/work-unit.ts";
import { type Added, find, findLeased, logWrite, type Model, type Stream } from "./model.ts";

export function write(model: Model, chunk: Write): Written {
  const { id, stream, offset, bytes } = chunk;
  if (!findLeased(model, chunk)) return { result: "stale" };
  const { size } = streamOf(model, id, stream);
  if (offset !== size) return { result: "gap", size };
  if (bytes.length > 0) add(model, { id, stream, bytes: new Uint8Array(bytes) });
  return { result: "written", size: size + bytes.length };
}

export function read(model: Model, { who, query }: Verbs["read"]["input"]): Chunk {
  const { id } = find(model, who.owner, query.id);
  const all = streamOf(model, id, query.stream);
  const until = query.offset + query.limit;
  return { bytes: all.bytes.slice(query.offset, Math.min(until, all.size)), size: all.size };
}

function streamOf(model: Model, id: string, stream: string): Stream {
  return model.output.get(id)?.get(stream) ?? { bytes: new Uint8Array(), size: 0 };
}

function add(model: Model, chunk: Added): void {
  const before = streamOf(model, chunk.id, chunk.stream);
  grow(model, chunk);
  logWrite(model, { what: "bytes", chunk }, () =>
    model.output.get(chunk.id)?.set(chunk.stream, before),
  );
}

/** Puts bytes at a stream's end. Reserved space doubles, so that small chunks are seldom copied. */
export function grow(model: Model, { id, stream, bytes }: Added): void {
  const before = streamOf(model, id, stream);
  const size = before.size + bytes.length;
  const buffer = before.bytes.length >= size ? before.bytes : new Uint8Array(size * 2);
  if (buffer !== before.bytes) buffer.set(before.bytes.subarray(0, before.size));
  buffer.set(bytes, before.size);
  const streams = model.output.get(id) ?? new Map<string, Stream>();
  model.output.set(id, streams.set(stream, { bytes: buffer, size }));
}
