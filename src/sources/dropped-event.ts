import { createHash } from "node:crypto";
import { z } from "zod";
import { messageOf } from "../base/errors.ts";
import { priorities } from "../rules/record.ts";
import { oneLine } from "../rules/text.ts";
import { checkEvent } from "../rules/when/event.ts";
import type { SourceEvent } from "../rules/when/hearing.ts";
import { instantOf } from "./instant.ts";

/** A file as it was found. */
export interface Dropped {
  readonly text: string;
  /** When it was written. */
  readonly at: number;
  /** What tells it from another file that is put in its place. */
  readonly seal: string;
}

const form = z.object({
  id: z.string().optional(),
  type: z.string(),
  repo: z.string().nullish(),
  payload: z.record(z.string(), z.json()).default({}),
  priority: z.enum(priorities).optional(),
  created_at: z.iso.datetime({ offset: true }).optional(),
  hops: z.int().min(0).optional(),
});

/** A dropped file as an event, or what is wrong with it. */
export function readDropped(
  source: string,
  file: string,
  { text, at, seal }: Dropped,
): { readonly event: SourceEvent } | { readonly wrong: string } {
  try {
    const parsed = form.safeParse(JSON.parse(text));
    if (!parsed.success) return { wrong: oneLine(z.prettifyError(parsed.error), 500) };
    const { id, type, repo = null, payload, priority, created_at, hops } = parsed.data;
    const event: SourceEvent = {
      name: id ?? fileName(source, file, seal),
      type,
      repo,
      payload,
      at: instantOf(created_at ?? "") ?? at,
      ...(priority === undefined ? {} : { priority }),
      ...(hops === undefined ? {} : { hops }),
    };
    checkEvent({ ...event, source, origin: null, hops: hops ?? 0 });
    return { event };
  } catch (error) {
    return { wrong: oneLine(messageOf(error), 500) };
  }
}

/** Named by the file, and by what tells it from one of the same name another day. */
function fileName(source: string, file: string, seal: string): string {
  const stem = file.slice(0, -".json".length);
  const isPlain = /^[A-Za-z0-9_-]{1,100}$/.test(stem);
  const word = isPlain ? stem : createHash("sha256").update(stem).digest("hex").slice(0, 16);
  return `evt-${source}-${word}-${seal}`;
}
