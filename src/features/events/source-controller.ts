import type { Controller } from "../../kernel/controller.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError, hasCode, messageOf } from "../../platform/errors.ts";
import { present, type Json } from "../../platform/json.ts";
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
  /** A poll that takes longer has failed. */
  pollMsMax?: number;
  /** Polls without news write nothing, but the time of the last poll is written this often. */
  quietMsMax?: number;
}

/** Polls one source. */
export function sourceController(
  source: Source,
  options: SourcesOptions,
): Controller<SourceKind, PollResult> {
  const { clock, pollMsMax = 2 * 60_000, quietMsMax = 10 * 60_000 } = options;
  const settings: PollSettings = { ...options, source: source.name };
  return {
    name: "sources",
    kind: sourceKind,
    queue: sourceQueue(source.name),
    async act(record, { signal }) {
      const cursor = record.outcome?.cursor ?? null;
      const until = clock.mono() + quietMsMax;
      for (;;) {
        const result = await poll(source, cursor, { clock, pollMsMax, signal });
        if (!("polled" in result) || !isUnchanged(record, result, settings)) return result;
        const restMs = pauseAfter(record.body, result.polled);
        if (clock.mono() + restMs > until) return result;
        await sleep(clock, restMs, signal);
        if (signal.aborted) return { stopped: true };
      }
    },
    decide: (record, result, facts) => decidePoll(record, result, facts, settings),
    async observeAgain(_record, result, { details }) {
      const { id } = details;
      if (!("polled" in result) || typeof id !== "string") return result;
      return { ...result, refused: [...result.refused, id] };
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
    const answer = await withDeadline(limits, (given) => source.poll(cursor, { signal: given }));
    if ("done" in answer) return { polled: answer.done, refused: [] };
    if (signal.aborted) return { stopped: true };
    return { failed: `${source.name} did not answer within ${pollMsMax} ms` };
  } catch (error) {
    if (signal.aborted) return { stopped: true };
    const restMs = error instanceof DaybookError ? error.details["restMs"] : undefined;
    return present({
      failed: messageOf(error),
      restMs: typeof restMs === "number" ? restMs : undefined,
    });
  }
}

/** Makes the book's sources match the settings. Each exists once, although every node does this at its start. */
export async function planSources(
  book: Book,
  owner: string,
  configured: readonly SourceKind["body"][],
): Promise<void> {
  const live = await Array.fromAsync(recordsIn(book, { kind: sourceKind, live: true }));
  for (const { id, body } of live) {
    const now = configured.find(({ name }) => name === body.name);
    if (now === undefined) await book.cancel({ id, reason: "it is not configured any more" });
    else if (now.everyMs !== body.everyMs) await book.edit({ kind: "source", id, body: now });
  }
  for (const each of configured) {
    if (live.some(({ body }) => body.name === each.name)) continue;
    await book.append(makeSource(each, owner)).catch((error: unknown) => {
      if (!hasCode(error, "held")) throw error; // another node was faster
    });
  }
}
