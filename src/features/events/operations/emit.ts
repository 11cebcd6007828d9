import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { canonical } from "../../../platform/json.ts";
import { parseTime } from "../../../time/times.ts";
import { momentOptions } from "../../accounts/index.ts";
import { fields, priorityOf } from "../../notifications/index.ts";
import type { Payload } from "../../tasks/index.ts";
import { makeEvent, type EventKind } from "../kind.ts";
import { eventContextOf } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { eventLine, eventLineOf, eventState } from "./event-view.ts";

const input = z.strictObject({
  type: z.string().describe('the type of the event, such as "github.pr.review_requested"'),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("its content, as JSON; @FILE reads a file, - reads the input. Default: {}"),
  repo: z.string().optional().describe('the repository of the event, such as "owner/name"'),
  source: z.string().default("manual").describe("the source of the event. Default: manual"),
  name: z
    .string()
    .optional()
    .describe("a unique name: an event of the same name is written once. Default: a random name"),
  priority: fields.priority,
  at: fields.at.optional().describe("when it happened, such as 09:30 or an ISO time. Default: now"),
  hops: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe("the number of events that led to it; more than 8 are discarded. Default: 0"),
});

const output = eventLine.extend({
  state: z.string().describe("forgotten: it was written before, and its record was deleted"),
  fresh: z.boolean().describe("false: an event of this name was written before"),
  other_payload: z.boolean().describe("true: the first event had another payload, which stays"),
});

const nameBytes = 8;

export const emitEvent = operation({
  name: "emit_event",
  summary: "Write an event, so that its handler works on it.",
  input,
  output,
  aliases: { event_id: "name" },
  scope: "write",
  effect: "adds",
  example: {
    type: "jira.ticket.assigned",
    name: "evt-jira-OPS-7",
    source: "jira",
    payload: { key: "OPS-7" },
  },
  // The payload may be as large as an event's, and is written as JSON in JSON.
  route: { method: "POST", path: "/v1/events", bodyBytesMax: 512 * 1024 },
  command: { name: "event emit", aliases: ["emit"], positionals: ["type"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const body = bodyOf(request, context);
    const { owner, now } = context;
    const { home } = eventContextOf(context);
    const draft = makeEvent(body, {
      owner,
      home,
      now: now(),
      priority: priorityOf(request.priority),
    });
    const { record, fresh, id } = await bookOf(context).append(draft);
    if (record !== null) {
      const isOther = !fresh && canonical(record.body.payload) !== canonical(body.payload);
      return { ...eventLineOf(record), fresh, other_payload: isOther };
    }
    const { payload: _, origin: __, at, ...about } = body;
    return {
      id,
      ...about,
      priority: draft.priority ?? "normal",
      state: "forgotten",
      discarded: false,
      handler: null,
      task_id: null,
      reason: null,
      at: isoOf(at),
      created_at: isoOf(at),
      ended_at: null,
      fresh,
      other_payload: false,
    };
  },
  render({ name, type, fresh, other_payload: isOther, id, ...event }, { language }) {
    const texts = textsOf(language);
    if (fresh) return texts.emitted({ name: id, type });
    return texts.emittedBefore({ name, state: texts.state(eventState(event)), isOther });
  },
});

function bodyOf(request: z.infer<typeof input>, context: Context): EventKind["body"] {
  const { type, source, repo = null, hops } = request;
  const options = momentOptions(context);
  const { now } = options;
  const at = request.at === undefined ? now : parseTime(request.at, options).at;
  return {
    name: request.name ?? `evt-${source}-${randomName(context)}`,
    type,
    source,
    repo,
    payload: plain(request.payload ?? {}),
    at: Math.max(Math.min(at, now), 0), // a future time is taken as now
    origin: context.origin,
    hops,
  };
}

function randomName({ randomBytes }: Context): string {
  return Buffer.from(randomBytes(nameBytes)).toString("hex");
}

/** The payload without the values that JSON does not have. */
export function plain(payload: Readonly<Record<string, unknown>>): Payload {
  try {
    return JSON.parse(JSON.stringify(payload)) as Payload; // an object, as the schema says
  } catch (cause) {
    throw new DaybookError("invalid", "The payload must be plain JSON.", { cause });
  }
}
