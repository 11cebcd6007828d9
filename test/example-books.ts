import assert from "node:assert/strict";
import { makePerson } from "../src/features/accounts/person.ts";
import { loginLinks } from "../src/features/accounts/ports.ts";
import { makeToken } from "../src/features/accounts/token.ts";
import { calendars } from "../src/features/calendars/index.ts";
import { events } from "../src/features/events/index.ts";
import { makeSubscription, nothingSent } from "../src/features/events/subscription.ts";
import { operations } from "../src/features/index.ts";
import { builtInCurves } from "../src/features/nags/curve.ts";
import { nags } from "../src/features/nags/index.ts";
import { makeNag } from "../src/features/nags/kind.ts";
import { systemOwner } from "../src/features/nodes/node.ts";
import { makeNotification } from "../src/features/notifications/kind.ts";
import { makeWebhook } from "../src/features/notifications/webhook.ts";
import { applyDeclared } from "../src/features/schedules/declared/apply.ts";
import { makeSchedule } from "../src/features/schedules/draft.ts";
import { schedules } from "../src/features/schedules/index.ts";
import { scheduleKind } from "../src/features/schedules/kind.ts";
import {
  reloadSettings,
  type MadeSchedules,
  type Reloaded,
} from "../src/features/schedules/ports.ts";
import { runNow } from "../src/features/schedules/slot.ts";
import { tasks } from "../src/features/tasks/index.ts";
import { exampleRunId } from "../src/features/tasks/operations/inputs.ts";
import { emptyOutcome } from "../src/features/tasks/outcome.ts";
import { makeWorkspace } from "../src/features/workspaces/draft.ts";
import { workspaces } from "../src/features/workspaces/index.ts";
import { unobservedWorkspace } from "../src/features/workspaces/kind.ts";
import { keptWorkspaces } from "../src/features/workspaces/ports.ts";
import { callOperation } from "../src/kernel/call.ts";
import { is } from "../src/kernel/kind.ts";
import { exampleId as id, type Context } from "../src/kernel/operation.ts";
import { provide } from "../src/kernel/port.ts";
import { type BookFixture, using, withHandling } from "./book-fixture.ts";
import { calendarHere, calendarServices } from "./calendars-here.ts";
import { happening, questioned } from "./when-records.ts";
import { usualWorkspace, workspacesHere } from "./workspaces-here.ts";

export type ExampleName = keyof typeof operations;

/** The caller of the examples: the owner "me", who may do everything. */
export function exampleContext({ mina }: BookFixture): Context {
  const reload = async (): Promise<Reloaded<MadeSchedules>> => {
    const steps = await applyDeclared(mina, false);
    return { ok: true, changed: ["owners.me.quiet"], needsRestart: [], steps };
  };
  const links = () => {
    const url = "http://127.0.0.1:4810/login?code=Jx3mEw8S0a7pQv1kZc5nTb2yRd4uHg6f";
    return { url, expiresAt: mina.now() + 600_000 };
  };
  const caller = { owner: "me", by: "me", scopes: ["admin"], origin: null } as const;
  const workspaces = workspacesHere({ collect: () => Promise.resolve(collected) });
  return using(
    { ...withHandling(mina, { home: "me" }), ...caller },
    provide(keptWorkspaces, () => workspaces),
    provide(reloadSettings, () => reload),
    provide(loginLinks, () => links),
    ...calendarServices(),
  );
}

const opId = "019a8d3e-9d10-7c44-8a5f-6b7c8d9e0f11";
const archive = `archives/${id}/${opId}/home.tar.zst`;
const collected = {
  remove: [{ workspaceId: id, opId, keys: [archive, `${archive}.meta`], size: 4_096 }],
  orphans: { [`archives/${id}/${opId}/`]: Date.parse("2026-11-15T20:00:00Z") },
  isBraked: false,
  parts: [],
};

const inbox = { target: "inbox:me", targetReason: "inbox", origin: null } as const;

/** Writes the records that an example needs. */
export async function prepareExample(name: ExampleName, at: BookFixture): Promise<void> {
  const [, write = writeNotification] = preparations.find(([names]) => names.includes(name)) ?? [];
  await write(name, exampleContext(at));
}

type Preparation = (name: ExampleName, context: Context) => Promise<unknown>;

const bookOf = ({ ledger, owner, by }: Context): ReturnType<typeof ledger.of> =>
  ledger.of(owner, by);

/** Writes what another example writes. */
async function run(name: ExampleName, context: Context): Promise<void> {
  const operation = operations[name];
  await callOperation(context, operation, operation.example, context);
}

async function writeNotification(name: ExampleName, context: Context): Promise<void> {
  const dueAt = Date.parse("2026-11-17T09:00:00+09:00");
  const body = { message: "stand-up", at: dueAt, atText: "tomorrow 9am", ...inbox };
  const failed = { kind: "notification", ends: "failed", body } as const;
  await bookOf(context).append({ ...(name === "retry" ? failed : makeNotification(body)), id });
}

async function writeWebhook(_: ExampleName, context: Context): Promise<void> {
  const { url, name = "" } = operations.registerWebhook.example ?? assert.fail();
  await bookOf(context).append({ ...makeWebhook({ url, name, secret: "whsec_" }), id });
}

/** A token and a person, in the book of the system. */
async function writeAccounts(_: ExampleName, context: Context): Promise<void> {
  const book = context.ledger.of(systemOwner, "me");
  const granted = { owner: "me", scopes: ["read", "write"] } as const;
  await book.append(makeToken(exampleToken, { name: "laptop", principal: "laptop", ...granted }));
  const sender = { channel: "telegram", sender: "123456789", name: "Mina" };
  await book.append(makePerson({ ...sender, ...granted, principal: "telegram:123456789" }));
}

/** What createToken answers to its example. */
const exampleToken = "daybook_ED57fyzdkdPoTfPOTuG11f1YaZ1KGyPa4QMNtcQoJM8";

/** A nag and a page. */
async function writeNag(name: ExampleName, context: Context): Promise<void> {
  const body = {
    about: { text: "pay rent" },
    curveName: "hourly",
    curve: builtInCurves.hourly,
    at: Date.parse("2026-11-25T09:00:00+09:00"),
    atText: "the 25th 9am",
    ...inbox,
  } as const;
  await bookOf(context).append({ ...makeNag(body, { owner: "me", quiet: null }), id });
  if (name === "resumeNag") await run("pauseNag", context);
  await run("putPage", context);
}

/** A schedule, and a run of it that the caller requested. */
async function writeRun(name: ExampleName, context: Context): Promise<void> {
  const book = bookOf(context);
  const now = context.now();
  const { targetReason: _, ...where } = inbox;
  const body = { ...plainSchedule, ...where };
  await book.append({ ...makeSchedule(body, { owner: "me", now, limit: 50 }), id });
  if (name === "runScheduleNow" || name === "backfillSchedule") return;
  const schedule = await book.get(id);
  assert.ok(is(scheduleKind, schedule));
  const task = { ...runNow(schedule, now), id: exampleRunId };
  const question = { text: "Send it?", choices: [] };
  const waits = { state: "needs_human", outcome: { ...emptyOutcome, question } } as const;
  await book.append(name === "answerRun" ? { ...task, ...waits } : task);
  const message = {
    message: "three invoices are open",
    at: now,
    atText: "now",
    type: "run",
  } as const;
  const delivered = { kind: "notification", ends: "delivered" } as const;
  await book.append({ ...delivered, body: { ...message, ...where }, parent: exampleRunId });
}

const plainSchedule = {
  name: "report.sh",
  cadence: { type: "cron", expression: "0 9 * * 1-5", zone: "Asia/Seoul" },
  whenText: "every weekday 9am",
  run: { command: ["./report.sh"] },
  notify: "always",
  misfire: "latest",
  overlap: "skip",
  rerun: false,
  timeoutMs: 600_000,
  notifyAfterFailures: 3,
  disableAfterFailures: 5,
} as const;

/** A subscription; with checkpoints where it is replayed from one. */
async function writeSubscription(name: ExampleName, context: Context): Promise<void> {
  const book = bookOf(context);
  const url = "https://example.org/changes";
  const { id: webhook } = await book.append(makeWebhook({ url, secret: "whsec_" }));
  const filter = { kinds: ["event", "task"], states: ["completed", "failed"] } as const;
  const checkpoints = [{ seq: 41, cursor: "1" }];
  await book.append({
    ...makeSubscription({ webhook, ...filter }),
    id,
    ...(name === "resumeSubscription" && { state: "paused" }),
    ...(name === "replaySubscription" && { outcome: { ...nothingSent, seq: 60, checkpoints } }),
  });
}

/** A workspace that sleeps. */
async function writeWorkspace(name: ExampleName, context: Context): Promise<void> {
  const now = context.now();
  const draft = makeWorkspace(
    {
      owner: "me",
      name: "scratch",
      ...usualWorkspace,
      imageRef: "node:24",
      desired: "RUNNING",
      target: "inbox:me",
      origin: null,
    },
    "here",
    { now, limits: { perOwner: 2, inAll: 3 } },
  );
  const own = { desired: "STANDBY", asks: 1, because: "idle" } as const;
  const outcome = { ...unobservedWorkspace, observedAt: now, own };
  const failure = { ...outcome, previousStatus: "STANDBY", errorCount: 4 } as const;
  await bookOf(context).append({
    ...draft,
    id,
    ...(name === "recoverWorkspace"
      ? { state: "error", outcome: failure }
      : { state: "standby", outcome }),
  });
}

/** An event with its task; for some, the task has failed or a worker has it. */
async function writeEvent(name: ExampleName, context: Context): Promise<void> {
  await happening(context, { failed: name === "retryTask" });
  if (name === "heartbeatTask" || name === "resultTask") {
    await callOperation(context, operations.claimTask, { handler: "gen-docs" }, context);
  }
}

/** A calendar at a service, with the brake on where that is confirmed. */
async function writeCalendar(name: ExampleName, context: Context): Promise<void> {
  await bookOf(context).append({ ...calendarHere(name === "confirmCalendar"), id });
}

const names = (operations: object): readonly string[] => Object.keys(operations);

const needsNothing: readonly ExampleName[] = [
  "remind",
  "registerWebhook",
  "createToken",
  "link",
  "nag",
  "putPage",
  "syncPush",
  "createSchedule",
  "previewSchedule",
  "createWatch",
  "applySchedules",
  "runTask",
  "emitEvent",
  "subscribe",
  "createWorkspace",
  "createCalendar",
  "simulate",
  "pauseEverything",
];

/** What each example needs, the first that names it; the others need a notification. */
const preparations: readonly (readonly [names: readonly string[], write: Preparation])[] = [
  [needsNothing, async () => undefined],
  [["retry"], writeNotification],
  [["listWebhooks", "deleteWebhook"], writeWebhook],
  [["listTokens", "revokeToken", "people", "unlink"], writeAccounts],
  [["syncPull"], (_, context) => run("putPage", context)],
  [["pingWatch"], (_, context) => run("createWatch", context)],
  [["resumeEverything"], (_, context) => run("pauseEverything", context)],
  [
    ["listQuestions", "showQuestion", "answerQuestion", "cancelQuestion"],
    (_, context) => questioned(context),
  ],
  [
    ["listSubscriptions", "deleteSubscription", "resumeSubscription", "replaySubscription"],
    writeSubscription,
  ],
  [names(nags.operations), writeNag],
  [[...names(tasks.operations), ...names(schedules.operations)], writeRun],
  [names(events.operations), writeEvent],
  [names(workspaces.operations), writeWorkspace],
  [names(calendars.operations), writeCalendar],
];
