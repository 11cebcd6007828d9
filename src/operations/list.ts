import * as z from "zod";
import { oneLine } from "../rules/text.ts";
import { distance } from "../rules/times.ts";
import { operation } from "./operation.ts";

const input = z.strictObject({
  all: z.boolean().default(false).describe("also what has ended"),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe("how many at most"),
  after: z.string().optional().describe("`next` of the page before"),
});

interface Listed {
  notifications: readonly {
    id: string;
    state: string;
    at: number;
    message: string;
    target: string;
  }[];
  next: string | null;
}

export const list = operation({
  name: "list_notifications",
  words: "Show what is in the book.",
  input,
  command: { name: "list", positionals: [] },
  async run({ all, limit, after }, context): Promise<Listed> {
    const page = await context.ledger.of(context.owner, context.by).list({
      kind: "notification",
      order: "newest",
      limit,
      ...(all ? {} : { live: true }),
      ...(after === undefined ? {} : { after }),
    });
    const notifications = page.records.flatMap((record) =>
      record.kind === "notification"
        ? [
            {
              id: record.id,
              state: record.state,
              at: record.body.at,
              message: record.body.message,
              target: record.body.target,
            },
          ]
        : [],
    );
    return { notifications, next: page.next };
  },
  say({ notifications, next }, context) {
    if (notifications.length === 0) return "Nothing to show. What has ended is shown by --all.";
    const lines = notifications.map(
      ({ id, state, at, message }) =>
        `${id}  ${state.padEnd(9)}  ${distance(at - context.now()).padEnd(14)}  ${oneLine(message, 60)}`,
    );
    return [...lines, ...(next === null ? [] : [`more: --after ${next}`])].join("\n");
  },
});
