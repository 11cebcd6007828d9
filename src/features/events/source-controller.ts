import type { Controller } from "../../kernel/controller.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError, hasCode, messageOf } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import {
  decidePoll,
  isUnchanged,
  pauseAfter,
  type PollResult,
  type PollSettings,
} from "./poll-result.ts";
import { type Source, makeSource, sourceQueue, type SourceKind, sourceKind } from "./source.ts";

interface SourcesOptions extends Omit<PollSettings, "source"> {
  clock: Clock;
  /** A poll that takes longer is given up. */
  pollMsMax?: number;
  /** As long as nothing happens nothing is written; but it is written that it was asked, this often. */
  quietMsMax?: number;
}

/** Asks one source what happened: what it tells and up to where it was heard are written in one unit. */
export function sourceController(
  source: Source,
  options: SourcesOptions,
): Controller<SourceKind, PollResult> {
  const { clock, pollMsMax = 2 * 60_000, quietMsMax = 10 * 60_000 } = options;
  const hearing: PollSettings = { ...options, source: source.name };
  return {
    name: "sources",
    kind: sourceKind,
    queue: sourceQueue(source.name),
    async act(record, { signal }) {
      const cursor = record.outcome?.cursor ?? null;
      const until = clock.mono() + quietMsMax;
      for (;;) {
        const heard = await poll(source, cursor, { clock, pollMsMax, signal });
        if (!("polled" in heard) || !isUnchanged(record, heard, hearing)) return heard;
        const restMs = pauseAfter(record.body, heard.polled);
        if (clock.mono() + restMs > until) return heard;
        await sleep(clock, restMs, signal);
        if (signal.aborted) return { stopped: true };
      }
    },
    decide: (record, heard, facts) => decidePoll(record, heard, facts, hearing),
    reread(_record, heard, { details }) {
      const { id } = details;
      if (!("polled" in heard) || typeof id !== "string") return Promise.resolve(heard);
      return Promise.resolve({ ...heard, refused: [...heard.refused, id] });
    },
  };
}

async function poll(
  source: Source,
  cursor: Json,
  { clock, pollMsMax, signal }: { clock: Clock; pollMsMax: number; signal: AbortSignal },
): Promise<PollResult> {
  const limits = { clock, timeoutMs: pollMsMax, graceMs: 1_000, signal };
  try {
    const came = await withDeadline(limits, (given) => source.poll(cursor, { signal: given }));
    if ("done" in came) return { polled: came.done, refused: [] };
    if (signal.aborted) return { stopped: true };
    return { failed: `${source.name} did not answer within ${pollMsMax} ms` };
  } catch (error) {
    if (signal.aborted) return { stopped: true };
    const restMs = error instanceof DaybookError ? error.details["restMs"] : undefined;
    return { failed: messageOf(error), ...(typeof restMs === "number" ? { restMs } : {}) };
  }
}

/** Makes the book's sources as they are set: each once, however many nodes start and however often. */
export async function planSources(
  book: Book,
  owner: string,
  wanted: readonly SourceKind["body"][],
): Promise<void> {
  const live = await Array.fromAsync(recordsIn(book, { kind: sourceKind, live: true }));
  for (const { id, body } of live) {
    const now = wanted.find(({ name }) => name === body.name);
    if (now === undefined) await book.cancel({ id, reason: "it is not set any more" });
    else if (now.everyMs !== body.everyMs) await book.edit({ kind: "source", id, body: now });
  }
  for (const each of wanted) {
    if (live.some(({ body }) => body.name === each.name)) continue;
    await book.append(makeSource(each, owner)).catch((error: unknown) => {
      if (!hasCode(error, "held")) throw error; // another node was faster
    });
  }
}
