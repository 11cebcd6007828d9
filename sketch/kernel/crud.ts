import * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import { isLive, type Kind } from "./kind.ts";
import { operation, type Context, type Operation } from "./operation.ts";
import type { LedgerRecord, ReadonlyDeep, Shape } from "./record.ts";
import { edit } from "./unit.ts";

interface CrudOptions<S extends Shape, View extends z.ZodType, Plural extends string> {
  readonly plural: Plural;
  readonly view: View;
  /** What the view shows, as the program has it: the view's codec writes it. */
  show(record: LedgerRecord<S>): ReadonlyDeep<z.output<View>>;
}

const byId = z.strictObject({ id: z.string() });
type ById<View extends z.ZodType> = Operation<typeof byId, View, {}>;

/** What every kind can: a feature gives each its name in the library (`deleteNag: cancel`). */
interface Crud<View extends z.ZodType, Plural extends string> {
  readonly list: Operation<
    z.ZodObject<{ state: z.ZodOptional<z.ZodString> }>,
    z.ZodObject<{ [P in Plural]: z.ZodArray<View> }>,
    {}
  >;
  readonly show: ById<View>;
  readonly cancel: ById<View>;
}

interface Pausing<View extends z.ZodType> {
  readonly pause: ById<View>;
  readonly resume: ById<View>;
}

/** A kind can be paused when it can be active and paused: it need not say so a second time. */
type CrudOf<S extends Shape, View extends z.ZodType, Plural extends string> = Crud<View, Plural> &
  ("active" | "paused" extends S["live"] ? Pausing<View> : unknown);

export function crud<S extends Shape, View extends z.ZodType, const Plural extends string>(
  kind: Kind<S>,
  { plural, view, show }: CrudOptions<S, View, Plural>,
): CrudOf<S, View, Plural> {
  const { name } = kind;
  const path = `/v1/${plural}` as const;
  const find = async ({ book }: Context, id: string): Promise<LedgerRecord<S>> => {
    const record = await book.get(id, kind);
    if (record !== undefined) return record;
    throw new DaybookError("not_found", `There is no ${name} "${id}".`);
  };
  const moved = (verb: string, state: S["live"]): ById<View> =>
    operation({
      name: `${verb}_${name}`,
      summary: `${verb === "pause" ? "Pause" : "Resume"} a ${name}.`,
      input: byId,
      output: view,
      scope: "write",
      route: { method: "POST", path: `${path}/{id}/${verb}` },
      async run({ id }, context) {
        const { revision: ifRevision } = await find(context, id);
        const wakeAt = verb === "pause" ? null : context.now;
        return show(await context.book.edit(edit(kind, { id, ifRevision, state, wakeAt })));
      },
    });
  const base: Crud<View, Plural> = {
    list: operation({
      name: `list_${plural}`,
      summary: `List ${plural}.`,
      input: z.strictObject({ state: z.string().optional() }),
      output: z.object({ [plural]: z.array(view) } as { [P in Plural]: z.ZodArray<View> }),
      scope: "read",
      route: { method: "GET", path },
      async run({ state }, { book }) {
        const found = await book.list({ kind, state });
        return { [plural]: found.map(show) } as never; // the one computed key
      },
    }),
    show: operation({
      name: `show_${name}`,
      summary: `Show a ${name}.`,
      input: byId,
      output: view,
      scope: "read",
      route: { method: "GET", path: `${path}/{id}` },
      run: async ({ id }, context) => show(await find(context, id)),
    }),
    cancel: operation({
      name: `cancel_${name}`,
      summary: `Cancel a ${name}.`,
      input: byId,
      output: view,
      scope: "write",
      route: { method: "DELETE", path: `${path}/{id}` },
      async run({ id }, context) {
        await find(context, id);
        await context.book.cancel({ id });
        return show(await find(context, id));
      },
    }),
  };
  const pausing = { pause: moved("pause", "paused"), resume: moved("resume", "active") };
  return { ...base, ...(isLive(kind, "paused") && pausing) } as CrudOf<S, View, Plural>;
}
