import * as z from "zod";
import { crud } from "../../kernel/crud.ts";
import { operation } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { edit } from "../../kernel/unit.ts";
import { moment, wireOf } from "../../kernel/wire.ts";
import { DaybookError } from "../../platform/errors.ts";
import { makeNag, nag, type NagKind } from "./kind.ts";
import { curves } from "./settings.ts";
import { texts } from "./texts.ts";

export const view = wireOf(
  z.object({
    id: z.string(),
    state: z.string(),
    text: z.string(),
    curve: z.string(),
    at: moment,
    sentCount: z.int(),
  }),
);

export function shown({ id, state, body, outcome }: LedgerRecord<NagKind>): z.output<typeof view> {
  return { id, state, ...body, sentCount: outcome?.count ?? 0 };
}

export const createNag = operation({
  name: "nag",
  summary: "Send a message again and again until it is done.",
  input: z.strictObject({
    text: z.string(),
    curve: z.string().default("gentle"),
    at: moment.optional(),
    zone: z.string().optional(),
  }),
  output: view,
  scope: "write",
  route: { method: "POST", path: "/v1/nags" },
  needs: { curves },
  texts,
  async run({ text, curve, at, zone }, { book, owner, origin, now }, ports) {
    const known = [...ports.curves().keys()];
    if (!known.includes(curve)) {
      throw new DaybookError(
        "invalid",
        `Unknown curve "${curve}". Configured: ${known.join(", ")}.`,
      );
    }
    const target = origin ?? `inbox:${owner}`;
    return shown((await book.append(makeNag({ text, curve, target, at: at ?? now, zone }))).record);
  },
  render: ({ text }, _reader, t) => t.nags({ text }),
});

export const doneNag = operation({
  name: "done_nag",
  summary: "Mark a nag as done and stop sending.",
  input: z.strictObject({ id: z.string() }),
  output: view,
  scope: "write",
  route: { method: "POST", path: "/v1/nags/{id}/done" },
  run: async ({ id }, { book }) => shown(await book.edit(edit(nag, { id, ends: "done" }))),
});

export const { list, show, cancel, pause, resume } = crud(nag, {
  plural: "nags",
  view,
  show: shown,
});
