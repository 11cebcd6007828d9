import * as z from "zod";
import { crud } from "../../kernel/crud.ts";
import { operation } from "../../kernel/operation.ts";
import { moment, wireOf } from "../../kernel/wire.ts";
import { makeNotification, notification } from "./kind.ts";
import { texts } from "./texts.ts";

export const view = wireOf(
  z.object({
    id: z.string(),
    state: z.string(),
    message: z.string(),
    target: z.string(),
    wakeAt: moment.nullable(),
  }),
);

export const remind = operation({
  name: "remind",
  summary: "Send a message once, at a time.",
  input: z.strictObject({
    message: z.string(),
    at: moment.optional(),
    target: z.string().optional(),
  }),
  output: view,
  scope: "write",
  route: { method: "POST", path: "/v1/notifications" },
  texts,
  async run({ message, at, target }, { book, owner, origin, now }) {
    const body = { message, at: at ?? now, target: target ?? origin ?? `inbox:${owner}` };
    const { record } = await book.append(makeNotification(body));
    return { ...record, ...record.body };
  },
  render: ({ message, wake_at: at }, _reader, t) => t.reminds({ message, at: at ?? "" }),
});

export const { list, show, cancel } = crud(notification, {
  plural: "notifications",
  view,
  show: (record) => ({ ...record, ...record.body }),
});
