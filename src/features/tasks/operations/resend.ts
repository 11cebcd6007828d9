import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { makeNotification, notificationKind } from "../../notifications/kind.ts";
import { fields, keptKey } from "../../notifications/operations/fields.ts";
import { notificationView, shown } from "../../notifications/operations/view.ts";
import { taskKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { runId } from "./inputs.ts";
import { saidBy } from "./view.ts";

const output = notificationView.extend({
  fresh: z.boolean().describe("false: it had been asked before with the same key"),
  run_id: z.string(),
});

export const resendRun = operation({
  name: "resend",
  summary: "Say again what a run said, without running it again.",
  input: z.strictObject({ id: runId, key: fields.key }),
  output,
  aliases: { run_id: "id" },
  scope: "write",
  effect: "adds",
  route: { method: "POST", path: "/v1/runs/{id}/resend" },
  command: { name: "resend", positionals: ["id"] },
  tool: "on request",
  async run({ id, key: name }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    await find(book, taskKind, id);
    const [said] = await saidBy(book, id);
    if (said === undefined) throw silent(id);
    if (said.endedAt === null && name === undefined) throw waiting(said.id);
    const now = context.now();
    const { expiresAt: _, ...body } = said.body;
    const draft = makeNotification(
      { ...body, at: now, atText: "now" },
      { priority: said.priority },
    );
    const keyed = name === undefined ? {} : { key: keptKey(name, { run: id }, now) };
    const made = await book.append({ ...draft, parent: id, ...keyed });
    const record = made.record ?? (await find(book, notificationKind, said.id));
    return { ...shown(record, momentOptions(context)), fresh: made.fresh, run_id: id };
  },
  render: ({ target, due }, { language }) => textsOf(language).resent({ target, when: due.text }),
});

function silent(id: string): DaybookError {
  const sentence = `This run has said nothing, so there is nothing to say again: see daybook explain ${id}.`;
  return new DaybookError("stale", sentence);
}

function waiting(id: string): DaybookError {
  const sentence = `What this run said still waits to be delivered, as ${id}: see daybook explain ${id}.`;
  return new DaybookError("held", sentence, { details: { holder: id } });
}
