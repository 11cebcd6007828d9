import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Context, type Reader } from "../../../kernel/operation.ts";
import { hasCode } from "../../../platform/errors.ts";
import { fromIso, isoOr } from "../../../platform/iso-time.ts";
import { inWords } from "../../../time/times.ts";
import { nextFires, schedulesIn } from "../../schedules/index.ts";
import { workspaceOf } from "../../tasks/index.ts";
import { workspaceOperations, type Level } from "../kind.ts";
import type { Observation } from "../observation.ts";
import { desiredOf, planFor } from "../plan.ts";
import { keptWorkspaces } from "../ports.ts";
import { nextObservationAt } from "../sleep.ts";
import { textsOf } from "../texts.ts";
import { findWorkspace, type Workspace } from "./find-workspace.ts";
import { workspaceId } from "./inputs.ts";
import { faultLines, wantedLine } from "./show.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

const plan = z.object({
  workspace: workspaceView,
  do: z
    .enum([...workspaceOperations, "end", "blame"])
    .nullable()
    .describe("what would be done; null: nothing; blame: what is there cannot be"),
  why: z.string(),
  seen: z
    .object({
      machine: z.enum(["running", "starting", "stopped"]).nullable(),
      volume: z.boolean(),
      looked: z.boolean().describe("false: as the book has it, nobody looked just now"),
    })
    .describe("what is there"),
  next_look_at: z.string().nullable(),
  next_slot_at: z.string().nullable().describe("when a schedule runs in it next"),
});
type Planned = z.infer<typeof plan>;

export const planWorkspace = operation({
  name: "plan_workspace",
  summary: "Say what would be done with a workspace, and why; nothing is done.",
  input: z.strictObject({ id: workspaceId }),
  output: plan,
  example: { id: "scratch" },
  route: { method: "GET", path: "/v1/workspaces/{id}/plan" },
  command: { name: "plan", positionals: ["id"] },
  run: async ({ id }, context) => plannedFor(await findWorkspace(bookOf(context), id), context),
  render: (planned, reader) =>
    [textsOf(reader.language).workspaceIs(planned.workspace), ...planLines(planned, reader)].join(
      "\n",
    ),
});

async function plannedFor(record: Workspace, context: Context): Promise<Planned> {
  const looked = await lookedAt(record, context);
  const observation = looked ?? written(record);
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
      looked: looked !== undefined,
    },
    next_look_at: isoOr(lookAt(record, slotAt, context)),
    next_slot_at: isoOr(slotAt),
  };
}

/** What is there now; undefined: nobody can say, and what was seen before stands. */
async function lookedAt(record: Workspace, context: Context): Promise<Observation | undefined> {
  if (record.endedAt !== null) return undefined;
  try {
    return await context.use(keptWorkspaces)?.look?.(record.id);
  } catch (error) {
    if (hasCode(error, "unavailable")) return undefined;
    throw error;
  }
}

/** When somebody has it, its own time is that of its lease. */
function lookAt(record: Workspace, slotAt: number | null, context: Context): number | null {
  if (record.endedAt !== null) return null;
  if (record.lease === null) return record.wakeAt;
  const use = { now: context.now(), slotAt };
  return nextObservationAt(record, levelIn(record), { use, pollMs: usualPollMs });
}

const usualPollMs = 60_000;

function levelIn({ state, body, outcome }: Workspace): Level {
  if (state === "running") return "RUNNING";
  return state === "standby"
    ? "STANDBY"
    : state === "pending"
      ? "PENDING"
      : desiredOf(body, outcome);
}

/** What was there the last time. */
function written({ state, outcome }: Workspace): Observation {
  const level = state === "error" ? outcome?.previousStatus : undefined;
  const isUp = state === "running" || level === "RUNNING";
  const hasVolume = isUp || state === "standby" || level === "STANDBY";
  return {
    machine: isUp ? "running" : null,
    volume: hasVolume ? { marker: outcome?.restoreMarker ?? null } : null,
  };
}

/** By the book: the next run of a schedule that happens in it. */
async function nextSlotAt({ body }: Workspace, context: Context): Promise<number | null> {
  const name = body.name.toLowerCase();
  const schedules = await schedulesIn(bookOf(context), { live: true });
  const times = schedules
    .filter(({ body: { run } }) => workspaceOf(run)?.toLowerCase() === name)
    .flatMap((schedule) => nextFires(schedule, context.now(), 1));
  return times.length === 0 ? null : Math.min(...times);
}

/** The plan in words, a line each. */
function planLines(planned: Planned, reader: Reader): string[] {
  const { language, zone } = reader;
  const texts = textsOf(language);
  const { workspace, seen, next_look_at: look, next_slot_at: slot } = planned;
  const when = (at: string): string => inWords(fromIso(at), zone, language);
  return [
    wantedLine(workspace, reader),
    doingLine(planned, reader),
    texts.seen(seen),
    ...(seen.looked ? [] : [texts.fromTheBook()]),
    ...(look === null ? [] : [texts.nextLook(when(look))]),
    ...(slot === null ? [] : [texts.nextSlot(when(slot))]),
    ...faultLines(workspace, reader),
  ];
}

function doingLine({ do: next, workspace, why }: Planned, { language }: Reader): string {
  const texts = textsOf(language);
  const { display, status, desired_state: desired } = workspace;
  if (next === "blame") return why;
  if (next === "end" || status === "DELETED") return texts.planEnds();
  if (next === null && status === "ERROR") return texts.planError();
  return texts.plan({ do: next, display, desired });
}
