import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { type EventKind, eventKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { eventLine, eventLineOf, sayEvent } from "./event-view.ts";
import { pageWhere } from "./page.ts";

const states = ["pending", "dispatched", "completed", "failed", "cancelled"] as const;

const output = z.object({
  events: z.array(eventLine),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

export const listEvents = operation({
  name: "list_events",
  summary: "Show what happened, the newest first.",
  input: z.strictObject({
    state: z.enum(states).optional().describe("only what is in this state"),
    type: z.string().optional().describe("only events of this type"),
    handler: z.string().optional().describe("only what this handler has to do"),
    limit: fields.limit,
    after: fields.after,
  }),
  output,
  aliases: { status: "state" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/events" },
  command: { name: "events", positionals: [] },
  tool: "on request",
  async run({ state, type, handler, limit, after }, context): Promise<z.infer<typeof output>> {
    const query: ListQuery<EventKind> = {
      kind: eventKind,
      order: "newest",
      limit,
      after,
      ...(state === undefined ? {} : { state }),
    };
    const { records, next } = await pageWhere(
      bookOf(context),
      query,
      ({ body, outcome }) =>
        (type ?? body.type) === body.type &&
        (handler === undefined || outcome?.handler === handler),
    );
    return { events: records.map(eventLineOf), next };
  },
  render({ events, next }, reader) {
    const texts = textsOf(reader.language);
    if (events.length === 0 && next === null) return texts.noEvents();
    const lines = events.map((event) => sayEvent(event, reader));
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});
