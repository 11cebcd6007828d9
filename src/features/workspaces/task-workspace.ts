import { bookOf } from "../../kernel/book.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Context } from "../../kernel/operation.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { hasCode, messageOf, DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { inboxOf } from "../notifications/index.ts";
import type {
  MissingWorkspace,
  TaskKind,
  TaskWorkspaces,
  WorkspaceReadiness,
} from "../tasks/index.ts";
import type { RunningLimits } from "./capacity.ts";
import { makeWorkspace, type NewWorkspace } from "./draft.ts";
import { taskRequestEdit } from "./edits.ts";
import { workspaceLimitOf } from "./holds.ts";
import { type WorkspaceKind, workspaceKind } from "./kind.ts";
import type { Machines } from "./machines.ts";
import { directObserver } from "./observer.ts";
import { isDeleted, workspacesIn } from "./operations/find-workspace.ts";
import { requestContext, workspacesOf } from "./ports.ts";

type Task = Claimed<TaskKind>;

/** The settings of a workspace that is made when the first task runs in it. */
type ImpliedWorkspace = Omit<
  NewWorkspace,
  "owner" | "name" | "desired" | "target" | "origin" | "waiting"
>;

export interface TaskWorkspacesOptions {
  ledger: Ledger;
  clock: Clock;
  machines: Machines;
  limits(): RunningLimits;
  /** Undefined: a workspace of that name must be created by a person. */
  implied(owner: string, name: string): ImpliedWorkspace | undefined;
}

/** A task waits for its workspace as a record: its id is stored in it, and the settle that observes it running wakes the task. */
export function taskWorkspaces(options: TaskWorkspacesOptions): TaskWorkspaces {
  const { ledger, clock, machines, limits } = options;
  const observeMachine = directObserver(machines, clock);
  const observe: TaskWorkspaces["observe"] = async (task, signal) => {
    const name = task.body.in ?? "";
    const now = task.lease.claimedAt;
    const found = await workspaceNamed(ledger, task, name);
    if (found === undefined) return implied(options, task, now);
    if (found.body.deletedAt !== null) {
      return { is: "unavailable", reason: `the workspace ${quote(name)} is being deleted` };
    }
    const info = found.outcome?.errorInfo;
    if (found.state === "error") {
      const toDo = `when that is mended: daybook workspace recover ${name}`;
      return {
        is: "unavailable",
        reason: `the workspace ${quote(name)} is in ERROR (${info?.message ?? ""}); ${toDo}`,
      };
    }
    if (found.state === "running" && (await isRunning(found.id, signal))) {
      return { is: "ready", id: found.id };
    }
    const edit = taskRequestEdit(found, task.id, { now, limits: limits() });
    return { is: "starting", name, consequences: { edit: [edit] } };
  };
  /** False if the observation fails: the controller of the workspace reports the cause. */
  const isRunning = async (id: string, signal: AbortSignal): Promise<boolean> => {
    try {
      return (await observeMachine(id, signal)).machine === "running";
    } catch {
      return false;
    }
  };
  return {
    observe,
    async reobserve(task, refused, signal) {
      const isFull =
        hasCode(refused, "held") && workspaceLimitOf(refused.details["name"]) !== undefined;
      // Otherwise the workspace was changed meanwhile.
      if (!isFull) return observe(task, signal);
      const reason = `as many workspaces as may are running: ${messageOf(refused)}`;
      return { is: "full", reason };
    },
  };
}

function implied(
  { machines, limits, implied: made }: TaskWorkspacesOptions,
  task: Task,
  now: number,
): WorkspaceReadiness {
  const { owner, id, body } = task;
  const name = body.in ?? "";
  const settings = made(owner, name);
  if (settings === undefined) {
    const toDo = `make it: daybook workspace create ${name} --image IMAGE`;
    return { is: "unavailable", reason: `there is no workspace ${quote(name)}: ${toDo}` };
  }
  const { target, origin } = body;
  const request: NewWorkspace = {
    ...settings,
    owner,
    name,
    desired: "RUNNING",
    target,
    origin,
    waiting: [id],
  };
  const draft = makeWorkspace(request, machines.location, { now, limits: limits() });
  return { is: "starting", name, consequences: { append: [{ ...draft, parent: null }] } };
}

async function workspaceNamed(
  ledger: Ledger,
  { owner, by }: Task,
  name: string,
): Promise<LedgerRecord<WorkspaceKind> | undefined> {
  const book = ledger.of(owner, by);
  for await (const record of recordsIn(book, { kind: workspaceKind, live: true })) {
    if (record.body.name.toLowerCase() === name.toLowerCase()) return record;
  }
  return undefined;
}

/** The most names that an answer lists. */
const namesMax = 10;

/** Checks that a workspace of this name exists, or can be made when a task needs it: then it is the answer. */
export async function checkRunIn(
  name: string,
  context: Context,
): Promise<MissingWorkspace | undefined> {
  const kept = (await workspacesIn(bookOf(context))).filter((each) => !isDeleted(each));
  const same = name.toLowerCase();
  if (kept.some(({ body }) => body.name.toLowerCase() === same)) return undefined;
  const others = kept.slice(0, namesMax).map(({ body }) => body.name);
  const { location, defaults } = workspacesOf(context);
  const { imageRef, ...set } = defaults(name);
  if (imageRef === null) throw noImage(name, others);
  const { owner } = context;
  const request = { owner, name, imageRef, ...set, target: inboxOf(owner), origin: null };
  // A workspace that could not be made later is refused now.
  makeWorkspace({ ...request, desired: "RUNNING" }, location, requestContext(context));
  return { name, others };
}

function noImage(name: string, others: readonly string[]): DaybookError {
  const choice = others.length === 0 ? "" : `use ${others.join(" or ")}, or `;
  const sentence = `There is no workspace ${quote(name)} in this book, and no image to make it from: ${choice}create it with daybook workspace create ${name} --image IMAGE`;
  return new DaybookError("not_found", sentence, { details: { in: name } });
}
