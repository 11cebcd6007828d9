import type { Book } from "../../../kernel/ledger.ts";
import type { Context, Installation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Hold } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { planDeclared, type Declared, type Step } from "../declared.ts";
import { declaredSchedules, type Applied, type DeclaredEntry } from "../ports.ts";
import { declaredFrom } from "./declared-entry.ts";
import { schedulesIn } from "./find-schedule.ts";
import { makingIn, limitRefusal } from "./limits.ts";

const triesMax = 30;

/** Makes the books as it is set down, one owner's after the other. */
export async function applyDeclared(
  installation: Installation,
  isDry: boolean,
): Promise<readonly Applied[]> {
  const { owners, schedules, source } = installation.use(declaredSchedules);
  const all = new Set([...owners, ...Object.values(schedules).map(({ owner }) => owner)]);
  const applied: Applied[] = [];
  const wrong: unknown[] = [];
  for (const owner of all) {
    const own = Object.entries(schedules).filter(([, one]) => one.owner === owner);
    const profile = await installation.readProfile(owner);
    const who = { owner, by: "config", scopes: ["admin"], origin: null } as const;
    try {
      applied.push(
        ...(await applyTo({ ...installation, ...who, profile }, { own, source, isDry })),
      );
    } catch (error) {
      wrong.push(error);
    }
  }
  if (wrong.length > 0) throw together(wrong);
  return applied;
}

/** All that is wrong, told at once. */
function together(errors: readonly unknown[]): unknown {
  const [first] = errors;
  const [unexpected] = errors.filter((error) => !(error instanceof DaybookError));
  if (unexpected !== undefined || errors.length === 1) return unexpected ?? first;
  const { code, details } = first as DaybookError;
  const lines = errors.map((error) => (error as DaybookError).message);
  return new DaybookError(code, lines.join("\n"), { cause: first, details });
}

interface Applying {
  own: readonly (readonly [name: string, one: DeclaredEntry])[];
  source: string;
  isDry: boolean;
}

/** One owner's, each by its key, in one unit: all of it is so, or none. */
async function applyTo(context: Context, applying: Applying): Promise<readonly Applied[]> {
  for (let round = 1; ; round += 1) {
    const steps = await planned(context, applying);
    if (applying.isDry) return steps;
    try {
      await write(steps, bookOf(context));
      return steps;
    } catch (error) {
      // Another node may do the same, or somebody may be at work on one: then all is looked at again.
      if (!isPassing(error) || round >= triesMax)
        throw refusal(error, steps, { own: applying.own, context });
    }
  }
}

async function planned(context: Context, { own, source }: Applying): Promise<readonly Applied[]> {
  const { owner } = context;
  const prefix = `${source}:`;
  const all = await schedulesIn(bookOf(context), { live: true });
  const live = all.filter(({ body }) => body.declared?.startsWith(prefix));
  const secrets = new Map<string, string>();
  const declared: Declared[] = [];
  const wrong: unknown[] = [];
  for (const [name, one] of own) {
    try {
      const read = await declaredFrom(prefix + name, { name, one, live, context });
      if (read.secret !== undefined) secrets.set(read.key, read.secret);
      declared.push(read);
    } catch (error) {
      wrong.push(at(name, error, own));
    }
  }
  if (wrong.length > 0) throw together(wrong);
  const making = makingIn(context, context.now());
  const steps = planDeclared(declared, live, making).map((step) => {
    const secret = step.what === "create" ? secrets.get(step.key) : undefined;
    const key = step.key.slice(prefix.length);
    return { ...step, key, owner, ...(secret === undefined ? {} : { secret }) };
  });
  // What is taken out frees its place only when all of this is written.
  const over = steps.filter(({ what }) => what === "create")[
    Math.max(0, making.limit - all.length)
  ];
  if (over === undefined) return steps;
  throw at(over.key, oneMore(owner, making.limit), own);
}

/** Told of the first for which there is no place. */
function oneMore(owner: string, limit: number): DaybookError {
  const sentence = `${quote(owner)} may have ${limit} schedules, and this would be one more: take one out, or delete another first.`;
  return new DaybookError("held", sentence, { details: { limit } });
}

async function write(steps: readonly Step[], book: Book): Promise<void> {
  // None follows from another, so none is another's child.
  const append = steps.flatMap((step) =>
    step.what === "create" ? [{ ...step.draft, parent: null }] : [],
  );
  const rows = steps.flatMap((step) => (step.what === "remove" ? step.rows : []));
  const edit = steps.flatMap((step) => ("edit" in step ? [step.edit] : []));
  const [made, ...others] = append;
  const [changed, ...rest] = edit;
  if (made !== undefined) await book.append(made, { append: [...others, ...rows], edit });
  else if (changed !== undefined) await book.edit(changed, { append: rows, edit: rest });
}

function isPassing(error: unknown): boolean {
  return hasCode(error, "stale") || hasCode(error, "leased") || hasCode(error, "held");
}

function refusal(
  error: unknown,
  steps: readonly Step[],
  { own, context }: Pick<Applying, "own"> & { context: Context },
): unknown {
  const { limit } = makingIn(context, context.now());
  const key = steps.find((step) => isAbout(step, error))?.key ?? "";
  const name = own.find(([each]) => each === key)?.[1].name ?? key;
  return at(key, limitRefusal(error, { name, limit }), own);
}

/** Whether this one was refused: by the name it would take, or by its id. */
function isAbout(step: Step, error: unknown): boolean {
  if (!(error instanceof DaybookError)) return false;
  const { name, id } = error.details;
  if ("edit" in step) return step.edit.id === id || isHeld(step.edit.holds, name);
  return "draft" in step && isHeld(step.draft.holds, name);
}

function isHeld(holds: readonly Hold[] | undefined, name: unknown): boolean {
  return holds?.some((hold) => hold === name) === true;
}

/** Says which one it is about, and where that stands. */
function at(key: string, error: unknown, own: Applying["own"]): unknown {
  if (!(error instanceof DaybookError)) return error;
  const { code, message, details } = error;
  const place = own.find(([each]) => each === key)?.[1].place;
  const which = `${place ? `${place}  ` : ""}${settingPath(key)}`;
  return new DaybookError(code, `${which}: ${message}`, { cause: error, details });
}

/** As it stands in the file: a handler's has the handler's name before its own. */
function settingPath(key: string): string {
  const [handler, name] = key.split(":");
  if (name !== undefined) return `handlers.${handler}.schedules.${name}`;
  return `schedules${key === "" ? "" : `.${key}`}`;
}
