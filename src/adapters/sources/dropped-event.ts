import { createHash } from "node:crypto";
import { z } from "zod";
import { checkEvent, type SourceEvent } from "../../features/events/index.ts";
import { priorities } from "../../kernel/record.ts";
import { messageOf } from "../../platform/errors.ts";
import { present, readJson } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { validationMessage } from "../../platform/validation-message.ts";
import { instantOf } from "./answers.ts";

export interface DroppedFile {
  /** At most one more than the limit. */
  readonly bytes: Uint8Array;
  /** Its modification time. */
  readonly at: number;
  /** Differs when another file replaces it. */
  readonly seal: string;
}

export const droppedBytesMax = 256 * 1024;

const form = z.object({
  id: z.string().optional(),
  type: z.string(),
  repo: z.string().nullish(),
  payload: z.record(z.string(), z.json()).default({}),
  priority: z.enum(priorities).optional(),
  created_at: z.iso
    .datetime({ offset: true, error: 'write it like "2026-02-07T10:00:00Z"' })
    .optional(),
  hops: z.int().min(0).optional(),
});

/** A dropped file as an event, or the reason why it is none. */
export function readDropped(
  source: string,
  file: string,
  { bytes, at, seal }: DroppedFile,
): { readonly event: SourceEvent } | { readonly wrong: string } {
  if (bytes.length > droppedBytesMax)
    return { wrong: `It is larger than ${droppedBytesMax} bytes.` };
  const json = readJson(bytes);
  if ("wrong" in json) return json;
  try {
    const parsed = form.safeParse(json.value);
    if (!parsed.success)
      return { wrong: oneLine(validationMessage(json.value, parsed.error), 500) };
    const { id, type, repo = null, payload, priority, created_at, hops } = parsed.data;
    const event = present({
      name: id ?? fileName(source, file, seal),
      type,
      repo,
      payload,
      at: instantOf(created_at ?? "") ?? at,
      priority,
      hops,
    });
    checkEvent({ ...event, source, origin: null, hops: hops ?? 0 });
    return { event };
  } catch (error) {
    return { wrong: oneLine(messageOf(error), 500) };
  }
}

/** From the file's name and seal: the same name may come again another day. */
function fileName(source: string, file: string, seal: string): string {
  const stem = file.slice(0, -".json".length);
  const isPlain = /^[A-Za-z0-9_-]{1,100}$/.test(stem);
  const word = isPlain ? stem : createHash("sha256").update(stem).digest("hex").slice(0, 16);
  return `evt-${source}-${word}-${seal}`;
}
