import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Context, type Reader } from "../../../kernel/operation.ts";
import { hasCode } from "../../../platform/errors.ts";
import { fromIso, isoOr } from "../../../platform/iso-time.ts";
import { inWords } from "../../../time/times.ts";
import { workspaceOperations, type Level } from "../kind.ts";
import type { Observation } from "../observation.ts";
import { desiredOf, planFor } from "../plan.ts";
import { keptWorkspaces } from "../ports.ts";
import { nextObservationAt } from "../sleep.ts";
import { textsOf } from "../texts.ts";
import { findWorkspace, type Workspace } from "./find-workspace.ts";
import { workspaceId } from "./inputs.ts";
import { nextSlotAt } from "./next-slot.ts";
import { errorLines, desiredLine } from "./show.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

const plan = z.object({
  workspace: workspaceView,
  do: z
    .enum([...workspaceOperations, "end", "blame"])
    .nullable()
    .describe("the next operation; null: none; blame: what exists matches no state"),
  why: z.string(),
  seen: z
    .object({
      machine: z.enum(["running", "starting", "stopped"]).nullable(),
      volume: z.boolean(),
      looked: z.boolean().describe("false: as recorded, because it could not be observed now"),
    })
    .describe("what exists"),
  next_look_at: z.string().nullable(),
  next_slot_at: z.string().nullable().describe("the next slot of a schedule that runs in it"),
});
type Planned = z.infer<typeof plan>;

export const planWorkspace = operation({
  name: "plan_workspace",
  summary: "Show the next operation on a workspace, and why, without doing it.",
  input: z.strictObject({ id: workspaceId }),
  output: plan,
  example: { id: "scratch" },
  route: { method: "GET", path: "/v1/workspaces/{id}/plan" },
  command: { name: "workspace plan", aliases: ["plan"], positionals: ["id"] },
  run: async ({ id }, context) => planOf(await findWorkspace(bookOf(context), id), context),
  render: (planned, reader) =>
    [textsOf(reader.language).workspaceIs(planned.workspace), ...planLines(planned, reader)].join(
      "\n",
    ),
});

async function planOf(record: Workspace, context: Context): Promise<Planned> {
  const observed = await observedNow(record, context);
  const observation = observed ?? recorded(record);
  const next = planFor(record, observation);
  const why =
    next.do === "blame"
      ? `there is ${next.actual} where there should be ${next.expected}`
      : next.why;
  const slotAt = await nextSlotAt(record, context);
  return {
    workspace: shownWorkspace(record),
    do: record.endedAt === null ? next.do : null,
    why: record.endedAt === null ? why : "it was deleted, and nothing of it is left",
    seen: {
      machine: observation.machine,
      volume: observation.volume !== null,
      looked: observed !== undefined,
    },
    next_look_at: isoOr(nextAt(record, slotAt, context)),
    next_slot_at: isoOr(slotAt),
  };
}

/** What exists now; undefined if it cannot be observed. */
async function observedNow(record: Workspace, context: Context): Promise<Observation | undefined> {
  if (record.endedAt !== null) return undefined;
  try {
    return await context.use(keptWorkspaces)?.observe?.(record.id);
  } catch (error) {
    if (hasCode(error, "unavailable")) return undefined;
    throw error;
  }
}

/** When it is observed next. Under a lease its wake time is the end of the lease, so the time is computed. */
function nextAt(record: Workspace, slotAt: number | null, context: Context): number | null {
  if (record.endedAt !== null) return null;
  if (record.lease === null) return record.wakeAt;
  const use = { now: context.now(), slotAt };
  const pollMs = context.use(keptWorkspaces)?.pollMs() ?? defaultPollMs;
  return nextObservationAt(record, levelIn(record), { use, pollMs });
}

/** The default of the setting `workspaces.pollSeconds`. */
const defaultPollMs = 60_000;

function levelIn({ state, body, outcome }: Workspace): Level {
  if (state === "running") return "RUNNING";
  return state === "standby"
    ? "STANDBY"
    : state === "pending"
      ? "PENDING"
      : desiredOf(body, outcome);
}

/** What existed at the last observation. */
function recorded({ state, outcome }: Workspace): Observation {
  const level = state === "error" ? outcome?.previousStatus : undefined;
  const isUp = state === "running" || level === "RUNNING";
  const hasVolume = isUp || state === "standby" || level === "STANDBY";
  return {
    machine: isUp ? "running" : null,
    volume: hasVolume ? { marker: outcome?.restoreMarker ?? null } : null,
  };
}

/** The plan as lines of text. */
function planLines(planned: Planned, reader: Reader): string[] {
  const { language, zone } = reader;
  const texts = textsOf(language);
  const { workspace, seen, next_look_at: next, next_slot_at: slot } = planned;
  const when = (at: string): string => inWords(fromIso(at), zone, language);
  return [
    desiredLine(workspace, reader),
    operationLine(planned, reader),
    texts.seen(seen),
    ...(seen.looked ? [] : [texts.asRecorded()]),
    ...(next === null ? [] : [texts.nextObservation(when(next))]),
    ...(slot === null ? [] : [texts.nextSlot(when(slot))]),
    ...errorLines(workspace, reader),
  ];
}

function operationLine({ do: next, workspace, why }: Planned, { language }: Reader): string {
  const texts = textsOf(language);
  const { display, status, desired_state: desired } = workspace;
  if (next === "blame") return why;
  if (next === "end" || status === "DELETED") return texts.planEnds();
  if (next === null && status === "ERROR") return texts.planError();
  return texts.plan({ do: next, display, desired });
}
