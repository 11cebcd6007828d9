import * as z from "zod";
import { isLive, type Kind } from "./kind.ts";
import { operation, type Context, type Operation, type Reader } from "./operation.ts";
import { bookOf, find, untilFresh } from "./own-book.ts";
import type { LedgerRecord } from "./record.ts";
import { fields } from "./schemas.ts";
import type { Shape } from "./shape.ts";

interface CrudOptions<S extends Shape, View> {
  /** The plural of its name: in the path and the command of the list. */
  readonly plural: string;
  readonly view: z.ZodType<View>;
  show(record: LedgerRecord<S>): View;
  /** One record as a line for people. */
  line(view: View, reader: Reader): string;
}

const byId = z.strictObject({ id: fields.id });
type ById<View> = Operation<typeof byId, View>;

const page = z.strictObject({
  all: z.boolean().default(false).describe("also those that have ended"),
  limit: fields.limit,
  after: fields.after,
});

type List<View> = {
  readonly items: View[];
  readonly next: string | null;
};

type Crud<View> = {
  readonly list: Operation<typeof page, List<View>>;
  readonly show: ById<View>;
  readonly cancel: ById<View>;
};

/** A kind with the states active and paused can be paused and resumed. */
type CrudOf<S extends Shape, View> = Crud<View> &
  ("active" | "paused" extends S["live"]
    ? { readonly pause: ById<View>; readonly resume: ById<View> }
    : unknown);

type Change = "cancel" | "pause" | "resume";

/** Makes list, show, cancel, and pause and resume where the kind has these states. The feature names each for the library. */
export function crud<S extends Shape, View>(
  kind: Kind<S>,
  options: CrudOptions<S, View>,
): CrudOf<S, View> {
  const { name, label = name } = kind;
  const { view, show, line } = options;
  const path = `/v1/${options.plural}/{id}` as const;
  const shown = async (id: string, context: Context): Promise<View> =>
    show(await find(bookOf(context), kind, id));
  const base = { input: byId, output: view, render: line, tool: "on request" } as const;
  const change = (
    verb: Change,
    act: (record: LedgerRecord<S>, context: Context) => Promise<unknown> | undefined,
  ): ById<View> =>
    operation({
      ...base,
      name: `${verb}_${name}`,
      summary: `${sentence[verb]} a ${label}.`,
      scope: "write",
      effect: verb === "cancel" ? "ends" : "changes",
      route: { method: "POST", path: `${path}/${verb}` },
      command: { name: `${name} ${verb}`, positionals: ["id"] },
      async run({ id }, context) {
        await untilFresh(async () => act(await find(bookOf(context), kind, id), context));
        return shown(id, context);
      },
    });
  const moveTo = (verb: "pause" | "resume", state: string): ById<View> =>
    change(verb, ({ id, revision, endedAt }, context) => {
      if (endedAt !== null) return undefined;
      const wakeAt = state === "active" ? context.now() : null;
      return bookOf(context).edit({ kind: name, id, ifRevision: revision, state, wakeAt });
    });
  const operations: Crud<View> = {
    list: listOperation(kind, options),
    show: operation({
      ...base,
      name: `show_${name}`,
      summary: `Show a ${label}.`,
      scope: "read",
      effect: "none",
      route: { method: "GET", path },
      command: { name: `${name} show`, positionals: ["id"] },
      run: ({ id }, context) => shown(id, context),
    }),
    cancel: change("cancel", ({ id }, context) => bookOf(context).cancel({ id })),
  };
  const pausing = isLive(kind, "paused") && {
    pause: moveTo("pause", "paused"),
    resume: moveTo("resume", "active"),
  };
  return { ...operations, ...pausing } as unknown as CrudOf<S, View>; // pause and resume are there when the type has them
}

const sentence: Readonly<Record<Change, string>> = {
  cancel: "Cancel",
  pause: "Pause",
  resume: "Resume",
};

function listOperation<S extends Shape, View>(
  kind: Kind<S>,
  { plural, view, show, line }: CrudOptions<S, View>,
): Crud<View>["list"] {
  return operation({
    name: `list_${plural}`,
    summary: `List ${plural}, the newest first.`,
    input: page,
    output: z.object({
      items: z.array(view),
      next: z.string().nullable().describe("where the next page starts; null on the last"),
    }),
    scope: "read",
    effect: "none",
    route: { method: "GET", path: `/v1/${plural}` },
    command: { name: plural, positionals: [] },
    tool: "on request",
    async run({ all, limit, after }, context) {
      const query = {
        kind,
        order: "newest",
        limit,
        after,
        ...(all ? {} : { live: true }),
      } as const;
      const { records, next } = await bookOf(context).list(query);
      return { items: records.map(show), next };
    },
    render: ({ items }, reader) =>
      items.length === 0 ? `(0 ${plural})` : items.map((each) => line(each, reader)).join("\n"),
  });
}
