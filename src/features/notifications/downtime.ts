import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Language } from "../../platform/language.ts";
import { inWords } from "../../time/times.ts";
import type { NodeKind } from "../nodes/node.ts";
import { makeNotification, type NotificationKind } from "./kind.ts";
import { inboxOf } from "./routing.ts";
import { textsOf } from "./texts.ts";

/** When nobody was there to do what is in the book. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** A restart is no gap. */
const gapMsMin = 60_000;
const keyKeptMs = 30 * 86_400_000;

/** The gap that ends now, by what the nodes wrote of themselves; undefined when one was there. */
export function lastAlive(
  nodes: readonly LedgerRecord<NodeKind>[],
  now: number,
  silenceMs: number,
): Gap | undefined {
  // A node that lives moves its wake time ahead: that it has not come says the node was there.
  const seen = nodes.map(({ endedAt, wakeAt }) => endedAt ?? (wakeAt ?? 0) - silenceMs);
  const from = Math.max(...seen, 0);
  return from > 0 && now - from > gapMsMin ? { from, to: now } : undefined;
}

export function downtimeNotice(
  gap: Gap,
  reader: { owner: string; count: number; zone: string; language: Language },
): DraftOf<NotificationKind> {
  const { owner, count, zone, language } = reader;
  const [from, to] = [gap.from, gap.to].map((at) => inWords(at, zone, language));
  const draft = makeNotification({
    message: textsOf(language).downtime({ from: from ?? "", to: to ?? "", count }),
    at: gap.to,
    atText: "now",
    target: inboxOf(owner),
    origin: null,
    type: "notice",
  });
  // Of many nodes that start at once, one tells.
  const name = `downtime:${gap.from}`;
  return { ...draft, key: { name, asked: { from: gap.from }, until: gap.to + keyKeptMs } };
}
