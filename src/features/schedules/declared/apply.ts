import { bookOf } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context, Installation } from "../../../kernel/operation.ts";
import type { Hold } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { schedulesIn } from "../operations/find-schedule.ts";
import { factsIn, limitRefusal } from "../operations/limits.ts";
import { declaredSchedules, type Applied, type DeclaredEntry } from "../ports.ts";
import { readEntry } from "./entry.ts";
import { planDeclared, type Declared, type Step } from "./plan.ts";

const triesMax = 30;

/** Makes the schedules of all owners match the declarations, one owner after the other. */
export async function applyDeclared(
  installation: Installation,
  isDry: boolean,
): Promise<readonly Applied[]> {
  const { owners, schedules, source } = installation.use(declaredSchedules);
  const all = new Set([...owners, ...Object.values(schedules).map(({ owner }) => owner)]);
  const applied: Applied[] = [];
  const errors: unknown[] = [];
  for (const owner of all) {
    const own = Object.entries(schedules).filter(([, one]) => one.owner === owner);
    const profile = await installation.readProfile(owner);
    const who = { owner, by: "config", scopes: ["admin"], origin: null } as const;
    try {
      applied.push(
        ...(await applyTo({ ...installation, ...who, profile }, { own, source, isDry })),
      );
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw combined(errors);
  return applied;
}

/** All errors in one, a line each. */
function combined(errors: readonly unknown[]): unknown {
  const [first] = errors;
  const [unexpected] = errors.filter((error) => !(error instanceof DaybookError));
  if (unexpected !== undefined || errors.length === 1) return unexpected ?? first;
  const { code, details } = first as DaybookError;
  const lines = errors.map((error) => (error as DaybookError).message);
  return new DaybookError(code, lines.join("\n"), { cause: first, details });
}

interface Application {
  own: readonly (readonly [name: string, entry: DeclaredEntry])[];
  source: string;
  isDry: boolean;
}

/** Applies one owner's declarations in one unit. */
async function applyTo(context: Context, application: Application): Promise<readonly Applied[]> {
  for (let round = 1; ; round += 1) {
    const steps = await planned(context, application);
    if (application.isDry) return steps;
    try {
      await write(steps, bookOf(context));
      return steps;
    } catch (error) {
      // Another node may apply the same, or may have leased one of them: plan again.
      if (!isTransient(error) || round >= triesMax) {
        throw refusal(error, steps, { own: application.own, context });
      }
    }
  }
}

async function planned(
  context: Context,
  { own, source }: Application,
): Promise<readonly Applied[]> {
  const { owner } = context;
  const prefix = `${source}:`;
  const all = await schedulesIn(bookOf(context), { live: true });
  const live = all.filter(({ body }) => body.declared?.startsWith(prefix));
  const secrets = new Map<string, string>();
  const declared: Declared[] = [];
  const errors: unknown[] = [];
  for (const [name, entry] of own) {
    try {
      const read = await readEntry(prefix + name, { name, entry, live, context });
      if (read.secret !== undefined) secrets.set(read.key, read.secret);
      declared.push(read);
    } catch (error) {
      errors.push(at(name, error, own));
    }
  }
  if (errors.length > 0) throw combined(errors);
  const facts = factsIn(context, context.now());
  const steps = planDeclared(declared, live, facts).map((step) => {
    const secret = step.what === "create" ? secrets.get(step.key) : undefined;
    const key = step.key.slice(prefix.length);
    return { ...step, key, owner, secret };
  });
  // A removed schedule frees its slot only after this unit is written.
  const created = steps.filter(({ what }) => what === "create");
  const tooMany = created[Math.max(0, facts.limit - all.length)];
  if (tooMany === undefined) return steps;
  throw at(tooMany.key, overLimit(owner, facts.limit), own);
}

function overLimit(owner: string, limit: number): DaybookError {
  const sentence = `${quote(owner)} may have ${limit} schedules, and this is one more: remove or delete another one first.`;
  return new DaybookError("held", sentence, { details: { limit } });
}

async function write(steps: readonly Step[], book: Book): Promise<void> {
  // The schedules are independent, so none is the parent of another.
  const append = steps.flatMap((step) =>
    step.what === "create" ? [{ ...step.draft, parent: null }] : [],
  );
  const rows = steps.flatMap((step) => (step.what === "remove" ? step.rows : []));
  const edit = steps.flatMap((step) => ("edit" in step ? [step.edit] : []));
  const [created, ...others] = append;
  const [changed, ...rest] = edit;
  if (created !== undefined) await book.append(created, { append: [...others, ...rows], edit });
  else if (changed !== undefined) await book.edit(changed, { append: rows, edit: rest });
}

function isTransient(error: unknown): boolean {
  return hasCode(error, "stale", "leased", "held");
}

function refusal(
  error: unknown,
  steps: readonly Step[],
  { own, context }: Pick<Application, "own"> & { context: Context },
): unknown {
  const { limit } = factsIn(context, context.now());
  const key = steps.find((step) => isAbout(step, error))?.key ?? "";
  const name = own.find(([each]) => each === key)?.[1].name ?? key;
  return at(key, limitRefusal(error, { name, limit }), own);
}

/** Whether the error is about this step: by a name that it would hold, or by its id. */
function isAbout(step: Step, error: unknown): boolean {
  if (!(error instanceof DaybookError)) return false;
  const { name, id } = error.details;
  if ("edit" in step) return step.edit.id === id || isHeld(step.edit.holds, name);
  return "draft" in step && isHeld(step.draft.holds, name);
}

function isHeld(holds: readonly Hold[] | undefined, name: unknown): boolean {
  return holds?.some((hold) => hold === name) === true;
}

/** Adds the position and the path of the declaration to an error. */
function at(key: string, error: unknown, own: Application["own"]): unknown {
  if (!(error instanceof DaybookError)) return error;
  const { code, message, details } = error;
  const place = own.find(([each]) => each === key)?.[1].place;
  const which = `${place ? `${place}  ` : ""}${settingPath(key)}`;
  return new DaybookError(code, `${which}: ${message}`, { cause: error, details });
}

/** The path in the settings. The key of a handler's schedule starts with the handler's name. */
function settingPath(key: string): string {
  const [handler, name] = key.split(":");
  if (name !== undefined) return `handlers.${handler}.schedules.${name}`;
  return `schedules${key === "" ? "" : `.${key}`}`;
}
