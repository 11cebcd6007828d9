import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { canonical } from "../../../platform/json.ts";
import { parseTime } from "../../../time/times.ts";
import { momentOptions } from "../../accounts/index.ts";
import { fields, priorityOf } from "../../notifications/index.ts";
import type { Payload } from "../../tasks/index.ts";
import { makeEvent, type EventKind } from "../kind.ts";
import { handlingIn } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { eventLine, eventLineOf } from "./event-view.ts";

const input = z.strictObject({
  type: z.string().describe('what happened, such as "github.pr.review_requested"'),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("what is known of it, as JSON; @FILE or - for what is in a file or comes in"),
  repo: z.string().optional().describe("the repository it is about"),
  source: z.string().default("manual").describe("who tells of it; manual when absent"),
  name: z
    .string()
    .optional()
    .describe("its own name: the same one is told once; made up when absent"),
  priority: fields.priority,
  at: fields.at.optional().describe("the time it happened, if not now, written like a reminder's"),
  hops: z.coerce.number().int().min(0).default(0).describe("how many events led to it"),
});

const output = eventLine.extend({
  state: z.string().describe("forgotten: it was told before, and is gone"),
  fresh: z.boolean().describe("false: it was told before"),
  other_payload: z.boolean().describe("it was told before with another payload, which stands"),
});

const nameBytes = 8;

export const emitEvent = operation({
  name: "emit_event",
  summary: "Say that something happened, for whoever has something to do for it.",
  input,
  output,
  aliases: { event_id: "name" },
  scope: "write",
  effect: "adds",
  // The payload may be as large as an event's, and is written as JSON in JSON.
  example: {
    type: "jira.ticket.assigned",
    name: "evt-jira-OPS-7",
    source: "jira",
    payload: { key: "OPS-7" },
  },
  route: { method: "POST", path: "/v1/events", bodyBytesMax: 512 * 1024 },
  command: { name: "emit", positionals: ["type"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const body = bodyOf(request, context);
    const { owner, now } = context;
    const { home } = handlingIn(context);
    const making = { owner, home, now: now(), ...priorityOf(request.priority) };
    const draft = makeEvent(body, making);
    const { record, fresh, id } = await bookOf(context).append(draft);
    if (record !== null) {
      const isOther = !fresh && canonical(record.body.payload) !== canonical(body.payload);
      return { ...eventLineOf(record), fresh, other_payload: isOther };
    }
    const { name, type, source, repo, at, hops } = body;
    const times = { at: isoOf(at), created_at: isoOf(at), ended_at: null };
    const gone = { state: "forgotten", handler: null, task_id: null, reason: null };
    const { priority = "normal" } = draft;
    return {
      id,
      name,
      type,
      source,
      repo,
      priority,
      hops,
      ...gone,
      ...times,
      fresh,
      other_payload: false,
    };
  },
  render({ name, type, state, fresh, other_payload: isOther, id }, { language }) {
    const texts = textsOf(language);
    if (fresh) return texts.emitted({ name: id, type });
    return texts.emittedBefore({ name, state: texts.state(state), isOther });
  },
});

function bodyOf(request: z.infer<typeof input>, context: Context): EventKind["body"] {
  const { type, source, repo = null, hops } = request;
  const look = momentOptions(context);
  // What somebody says will happen has happened now.
  const at = request.at === undefined ? look.now : parseTime(request.at, look).at;
  return {
    name: request.name ?? `evt-${source}-${chance(context)}`,
    type,
    source,
    repo,
    payload: plain(request.payload ?? {}),
    at: Math.max(Math.min(at, look.now), 0),
    origin: context.origin,
    hops,
  };
}

function chance({ randomBytes }: Context): string {
  return Buffer.from(randomBytes(nameBytes)).toString("hex");
}

/** As it is kept: what JSON cannot say is not in it. */
export function plain(payload: Readonly<Record<string, unknown>>): Payload {
  try {
    return JSON.parse(JSON.stringify(payload)) as Payload; // an object, as the schema says
  } catch (cause) {
    throw new DaybookError("invalid", "The payload must be plain JSON.", { cause });
  }
}
