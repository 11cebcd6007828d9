import * as z from "zod";
import type { Feature } from "../../kernel/feature.ts";
import { operation, type Operation } from "../../kernel/operation.ts";
import { moment } from "../../kernel/wire.ts";
import { DaybookError } from "../../platform/errors.ts";
import { actionsFor, find } from "./find.ts";

const byId = z.strictObject({ id: z.string() });
const state = z.object({ id: z.string(), state: z.string() });
const upcoming = z.object({ upcoming: z.array(z.object({ at: moment, text: z.string() })) });

/** Operations over records of every kind: each feature said what can be done to its own. */
export function acrossKinds(features: readonly Feature[]): {
  readonly done: Operation<typeof byId, typeof state, {}>;
  readonly next: Operation<z.ZodObject, typeof upcoming, {}>;
} {
  return {
    done: operation({
      name: "done",
      summary: "Mark something as done.",
      input: byId,
      output: state,
      scope: "write",
      route: { method: "POST", path: "/v1/records/{id}/done" },
      async run({ id }, context) {
        const record = await find(features, id, context);
        const actions = actionsFor(features, record);
        if (actions?.done === undefined) {
          throw new DaybookError("invalid", `A ${record.kind} cannot be done: cancel it instead.`);
        }
        await actions.done(record, context);
        return find(features, record.id, context);
      },
    }),
    next: operation({
      name: "next",
      summary: "List what happens next.",
      input: z.strictObject({}),
      output: upcoming,
      scope: "read",
      route: { method: "GET", path: "/v1/next" },
      async run(_input, { book }) {
        const records = await book.list({ live: true });
        const found = records.flatMap((each) => actionsFor(features, each)?.upcoming?.(each) ?? []);
        return { upcoming: found.toSorted((a, b) => a.at - b.at) };
      },
    }),
  };
}
