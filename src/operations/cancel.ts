import * as z from "zod";
import { DaybookError } from "../base/errors.ts";
import { operation } from "./operation.ts";

const input = z.strictObject({
  id: z.string().describe("which record"),
  reason: z.string().optional().describe("why; kept in its history"),
});

interface CancelAnswer {
  id: string;
  result: "cancelled" | "cancelling";
}

export const cancel = operation({
  name: "cancel_notification",
  words: "Take back something that has not been said yet.",
  input,
  command: { name: "cancel", positionals: ["id"] },
  async run({ id, reason }, context): Promise<CancelAnswer> {
    const answer = await context.ledger
      .of(context.owner, context.by)
      .cancel({ id, ...(reason === undefined ? {} : { reason }) });
    if (answer.result !== "ended") return { id, result: answer.result };
    if (answer.record.state === "cancelled") return { id, result: "cancelled" };
    throw new DaybookError(
      "ended",
      `It is ${answer.record.state} already, so it cannot be cancelled.`,
    );
  },
  say: ({ result }) =>
    result === "cancelled"
      ? "Cancelled."
      : "It is being sent right now: no further attempt starts, but this one may still arrive.",
});
