import * as z from "zod";
import { crud } from "../../kernel/crud.ts";
import { operation } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { wireOf } from "../../kernel/wire.ts";
import { json } from "../../platform/json.ts";
import { event, makeEvent, type EventKind } from "./kind.ts";

export const view = wireOf(
  z.object({ id: z.string(), type: z.string(), state: z.string(), handler: z.string().nullable() }),
);

export function shown({
  id,
  body,
  state,
  outcome,
}: LedgerRecord<EventKind>): z.output<typeof view> {
  return { id, type: body.type, state, handler: outcome?.handler ?? null };
}

export const emitEvent = operation({
  name: "emit_event",
  summary: "Report that something happened.",
  input: z.strictObject({ type: z.string(), payload: z.record(z.string(), json).default({}) }),
  output: view,
  scope: "write",
  route: { method: "POST", path: "/v1/events" },
  run: async (body, { book }) => shown((await book.append(makeEvent(body))).record),
});

export const { list, show, cancel } = crud(event, { plural: "events", view, show: shown });
