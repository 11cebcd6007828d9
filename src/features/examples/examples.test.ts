import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture, using, withHandling } from "../../../test/book-fixture.ts";
import { happening, questioned } from "../../../test/when-records.ts";
import { usualWorkspace, workspacesHere } from "../../../test/workspaces-here.ts";
import { ask } from "../../kernel/ask.ts";
import { is } from "../../kernel/kind.ts";
import type { Context } from "../../kernel/operation.ts";
import { provide } from "../../kernel/port.ts";
import { makePerson } from "../accounts/person.ts";
import { makeToken } from "../accounts/token.ts";
import { pauseEverything } from "../book/pauses.ts";
import { claimTask } from "../events/operations/claim.ts";
import { makeSubscription, nothingSent } from "../events/subscription.ts";
import { operations, table } from "../index.ts";
import { builtInCurves } from "../nags/curve.ts";
import { makeNag } from "../nags/kind.ts";
import { systemOwner } from "../nodes/node.ts";
import { makeNotification } from "../notifications/kind.ts";
import { makeWebhook } from "../notifications/webhook.ts";
import { scheduleKind } from "../schedules/kind.ts";
import { makeSchedule } from "../schedules/make-schedule.ts";
import { applyDeclared } from "../schedules/operations/declared.ts";
import { createWatch } from "../schedules/operations/watch.ts";
import { reloadSettings, type MadeSchedules, type Reloaded } from "../schedules/ports.ts";
import { runNow } from "../schedules/slot.ts";
import { emptyOutcome } from "../tasks/outcome.ts";
import { makeWorkspace } from "../workspaces/draft.ts";
import { unobservedWorkspace } from "../workspaces/kind.ts";
import { keptWorkspaces } from "../workspaces/ports.ts";
import { exampleFor, examples } from "./index.ts";
import { nagExamples } from "./nags.ts";
import { runId } from "./runs.ts";
import { scheduleExamples } from "./schedules.ts";
import { subscriptionExamples } from "./subscriptions.ts";
import { person as linkedPerson } from "./views.ts";
import { watchExamples } from "./watches.ts";
import { whenExamples } from "./when.ts";
import { workspaceExamples } from "./workspaces.ts";

/** Who asks in the examples. */
function me({ mina }: BookFixture): Context {
  const reload = async (): Promise<Reloaded<MadeSchedules>> => {
    const steps = await applyDeclared(mina, false);
    return { ok: true, changed: ["owners.me.quiet"], needsRestart: [], steps };
  };
  const who = { owner: "me", by: "me", scopes: ["admin"], origin: null } as const;
  const workspaces = workspacesHere({ collect: () => Promise.resolve(collected) });
  return using(
    { ...withHandling(mina, { home: "me" }), ...who },
    provide(keptWorkspaces, () => workspaces),
    provide(reloadSettings, () => reload),
  );
}

/** What is said of archives in the example of that. */
const [archive = assert.fail()] = workspaceExamples.collectArchives.output.remove;
const [orphan = assert.fail()] = workspaceExamples.collectArchives.output.orphans;
const collected = {
  remove: [{ ...archive, workspaceId: archive.workspace_id, opId: archive.op_id }],
  orphans: { [orphan.archive]: Date.parse(orphan.since) },
  isBraked: false,
};

/** The workspace of the examples, which sleeps. */
async function prepareWorkspace(name: keyof typeof operations, at: BookFixture): Promise<void> {
  if (name === "createWorkspace") return;
  const { owner, now } = me(at);
  const draft = makeWorkspace(
    {
      owner,
      name: "scratch",
      ...usualWorkspace,
      imageRef: "node:24",
      desired: "RUNNING",
      target: "inbox:me",
      origin: null,
    },
    "here",
    { now: now(), limits: { perOwner: 2, inAll: 3 } },
  );
  const own = { desired: "STANDBY", asks: 1, because: "idle" } as const;
  const outcome = { ...unobservedWorkspace, observedAt: now(), own };
  const failed = {
    state: "error",
    outcome: { ...outcome, previousStatus: "STANDBY", errorCount: 4 },
  } as const;
  const { id } = examples.show.input;
  const seen = name === "recoverWorkspace" ? failed : ({ state: "standby", outcome } as const);
  await at.ledger.of("me", "me").append({ ...draft, ...seen, id });
}

/** The schedule of the examples, and a run of it that somebody asked for. */
async function prepareRuns(
  name: keyof typeof operations,
  { ledger, clock }: BookFixture,
): Promise<void> {
  const book = ledger.of("me", "me");
  const { id } = examples.show.input;
  const now = clock.wall();
  const body = { ...plainSchedule, target: "inbox:me", origin: null };
  await book.append({ ...makeSchedule(body, { owner: "me", now, limit: 50 }), id });
  if (name === "runScheduleNow" || name === "backfillSchedule") return;
  const schedule = await book.get(id);
  assert.ok(is(scheduleKind, schedule));
  const run = { ...runNow(schedule, now), id: runId };
  const question = { text: "Send it?", choices: [] };
  const asks = { state: "needs_human", outcome: { ...emptyOutcome, question } } as const;
  await book.append(name === "answerRun" ? { ...run, ...asks } : run);
  const said = { message: "three invoices are open", at: now, atText: "now", type: "run" } as const;
  const where = { target: "inbox:me", origin: null };
  await book.append({
    kind: "notification",
    ends: "delivered",
    body: { ...said, ...where },
    parent: runId,
  });
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

const needNothing = ["syncPush", "remind", "registerWebhook", "createToken", "link"];
/** The nag and the page of the examples. */
async function prepareNags(name: keyof typeof operations, at: BookFixture): Promise<void> {
  const asks = me(at);
  const book = at.ledger.of("me", "me");
  if (name === "nag" || name === "putPage") return;
  const body = {
    about: { text: "pay rent" },
    curveName: "hourly",
    curve: builtInCurves.hourly,
    at: Date.parse("2026-11-25T09:00:00+09:00"),
    atText: "the 25th 9am",
    target: "inbox:me",
    targetReason: "inbox",
    origin: null,
  } as const;
  const { id } = examples.show.input;
  await book.append({ ...makeNag(body, { owner: "me", quiet: null }), id });
  if (name === "resumeNag") await operations.pauseNag.run({ id }, asks);
  await operations.putPage.run({ ...nagExamples.putPage.input }, asks);
}

const asks: readonly string[] = [
  "listQuestions",
  "showQuestion",
  "answerQuestion",
  "cancelQuestion",
];
const claimed: readonly string[] = ["heartbeatTask", "resultTask"];

/** The event of the examples, with its task. */
async function prepareWhen(name: keyof typeof operations, at: BookFixture): Promise<void> {
  if (name === "emitEvent") return;
  if (asks.includes(name)) {
    await questioned(me(at));
    return;
  }
  await happening(me(at), { failed: name === "retryTask" });
  if (claimed.includes(name))
    await claimTask.run(claimTask.input.parse({ handler: "gen-docs" }), me(at));
}

const aboutNothing = ["createSchedule", "previewSchedule", "runTask"];

/** The subscription of the examples, which was told of some changes. */
async function prepareSubscription(name: keyof typeof operations, at: BookFixture): Promise<void> {
  if (name === "subscribe") return;
  const { id } = examples.show.input;
  const book = at.ledger.of("me", "me");
  const { url, kinds, states } =
    examples.listSubscriptions.output.subscriptions[0] ?? assert.fail();
  const hook = await book.append(makeWebhook({ url, secret: "whsec_" }));
  const draft = makeSubscription({ webhook: hook.id, kinds: kinds, states });
  const isPaused = name === "resumeSubscription";
  const checkpoints = [{ seq: 41, cursor: "1" }];
  await book.append({
    ...draft,
    id,
    ...(isPaused ? { state: "paused" } : {}),
    ...(name === "replaySubscription" ? { outcome: { ...nothingSent, seq: 60, checkpoints } } : {}),
  });
}

const inSystem = ["listTokens", "revokeToken", "people", "unlink"];

/** The token and the person of the examples, in the system's own book. */
async function prepareSystem({ ledger }: BookFixture): Promise<void> {
  const book = ledger.of(systemOwner, "me");
  const { name, owner, principal, scopes } = examples.createToken.output;
  const { id } = examples.revokeToken.input;
  await book.append({ ...makeToken("daybook_example", { name, owner, principal, scopes }), id });
  const { id: _, linked_at: _linked, ...person } = linkedPerson;
  await book.append(makePerson(person));
}

const families = [
  { all: workspaceExamples, make: prepareWorkspace },
  { all: subscriptionExamples, make: prepareSubscription },
  { all: whenExamples, make: prepareWhen },
  { all: nagExamples, make: prepareNags },
] as const;

/** What is there already in an example that names a record. */
async function prepare(name: keyof typeof operations, at: BookFixture): Promise<void> {
  const family = families.find(({ all }) => Object.hasOwn(all, name));
  if (family !== undefined) return family.make(name, at);
  const { ledger } = at;
  const { id } = examples.show.input;
  const book = ledger.of("me", "me");
  const dueAt = Date.parse("2026-11-17T09:00:00+09:00");
  const where = { target: "inbox:me", targetReason: "inbox", origin: null } as const;
  const body = { message: "stand-up", at: dueAt, atText: "tomorrow 9am", ...where };
  if (name === "listWebhooks" || name === "deleteWebhook") {
    const { url, name: called } = examples.registerWebhook.input;
    await book.append({ ...makeWebhook({ url, name: called ?? "", secret: "whsec_" }), id });
  } else if (inSystem.includes(name)) {
    await prepareSystem(at);
  } else if (name === "retry") {
    await book.append({ kind: "notification", ends: "failed", body, id });
  } else if (name === "syncPull") {
    await operations.putPage.run({ ...nagExamples.putPage.input }, me(at));
  } else if (Object.hasOwn(scheduleExamples, name)) {
    if (!aboutNothing.includes(name)) await prepareRuns(name, at);
  } else if (name === "resumeEverything") {
    await pauseEverything.run({}, me(at));
  } else if (name === "pingWatch") {
    await createWatch.run({ ...watchExamples.createWatch.input }, me(at));
  } else if (!needNothing.includes(name) && !Object.hasOwn(watchExamples, name)) {
    await book.append({ ...makeNotification(body), id });
  }
}

/** What is made by chance, as the example has it; only its form is compared. */
function asIn(example: object, output: object): unknown {
  const chance = ["id", "secret", "token"] as const;
  let text = JSON.stringify(output);
  for (const name of chance) {
    const [wanted, got] = [example, output].map((each) => (each as Record<string, unknown>)[name]);
    if (typeof wanted !== "string" || typeof got !== "string") continue;
    assert.equal(got.length, wanted.length, name);
    if (name !== "id") assert.equal(got.slice(0, 6), wanted.slice(0, 6));
    text = text.replaceAll(got, wanted);
  }
  return JSON.parse(text);
}

describe("the example", () => {
  for (const [key, operation] of Object.entries(operations)) {
    const name = key as keyof typeof operations;
    test(`of ${operation.name} answers what it says`, async () => {
      const at = bookFixture();
      await prepare(name, at);
      const { input, output } = examples[name];
      const answer = await ask(me(at), operation, input, me(at));
      assert.deepEqual(asIn(output, answer.output as object), output);
    });
  }
  test("of every operation is found by its name, and nothing else is", () => {
    for (const { name } of table) assert.ok(exampleFor(name), name);
    assert.equal(exampleFor("toString"), undefined);
  });
});
