import * as z from "zod";
import { makeNotification } from "../rules/notification.ts";
import { echo, parseTime, type Due } from "../rules/times.ts";
import { operation } from "./operation.ts";

const input = z.strictObject({
  message: z.string().describe("what to say"),
  at: z.string().describe('when, such as "+30m", "in 2 h" or a moment with its offset or zone'),
  target: z.string().optional().describe("where, as channel:address"),
  key: z.string().optional().describe("asking again with this key does not ask twice"),
});

interface Reminded {
  id: string;
  state: string;
  target: string;
  /** Null: it was asked before with the same key, and is since forgotten. */
  due: Due | null;
  /** False: it had been asked before with the same key. */
  fresh: boolean;
}

/** Longer than an ended record is kept, so that a key outlives its record. */
const keyKeptMs = 120 * 86_400_000;

export const remind = operation({
  name: "schedule_notification",
  words: "Say something once, on time.",
  input,
  command: { name: "remind", positionals: ["message"] },
  async run({ message, at, target, key }, context): Promise<Reminded> {
    const now = context.now();
    const body = {
      message,
      at: parseTime(at, now),
      atText: at,
      target: target ?? context.origin,
      origin: context.origin,
    };
    const draft = makeNotification(body);
    const asked = { message, at, target: body.target };
    const made = await context.ledger.of(context.owner, context.by).append({
      ...draft,
      ...(key === undefined
        ? {}
        : { key: { name: key, asked, until: Math.max(body.at, now) + keyKeptMs } }),
    });
    const { id, record, fresh } = made;
    if (record === null) return { id, state: "forgotten", target: body.target, due: null, fresh };
    const due = echo(record.body.at, context.zone, now);
    return { id, state: record.state, target: record.body.target, due, fresh };
  },
  say({ id, state, target, due, fresh }) {
    if (due === null) return `Already asked, done, and forgotten since.\n${id}`;
    const before = fresh ? "" : `Already asked, and ${state}: `;
    const after = fresh && due.past ? "\nThat time is past, so it is said at once." : "";
    return `${before}${due.text} → ${target}${after}\n${id}`;
  },
});
