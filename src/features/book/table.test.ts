import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { bookFixture, using } from "../../../test/book-fixture.ts";
import { allowedAt, calendarHere, calendarServices } from "../../../test/calendars-here.ts";
import { runsThatTalked } from "../../../test/runs-that-talked.ts";
import { happening, questioned } from "../../../test/when-records.ts";
import { usualWorkspace } from "../../../test/workspaces-here.ts";
import { callOperation } from "../../kernel/call.ts";
import type { Operation } from "../../kernel/operation.ts";
import { provide } from "../../kernel/port.ts";
import { makePerson } from "../accounts/person.ts";
import { loginLinks } from "../accounts/ports.ts";
import { makeSubscription, nothingSent } from "../events/subscription.ts";
import { operations, table } from "../index.ts";
import { systemOwner } from "../nodes/node.ts";
import { applyDeclared } from "../schedules/declared/apply.ts";
import { reloadSettings } from "../schedules/ports.ts";
import { makeWorkspace } from "../workspaces/draft.ts";
import { endOf, headOf } from "./transfer/file.ts";

const minaInChat = { channel: "telegram", sender: "1", name: "Mina" };
const wanted = {
  ...usualWorkspace,
  name: "broken",
  imageRef: "node:24",
  desired: "STANDBY",
  target: "inbox:mina",
  origin: null,
} as const;
const unique = (names: readonly string[]): boolean => new Set(names).size === names.length;

describe("every operation", () => {
  test("has its own name, command and route", () => {
    assert.ok(unique(table.map(({ name }) => name)));
    assert.ok(unique(table.map(({ command }) => command.name)));
    const paths = table.flatMap(({ route: { method, path, also, oldPath } }) =>
      [path, also, oldPath].flatMap((each) => (each === undefined ? [] : [`${method} ${each}`])),
    );
    assert.ok(unique(paths));
  });
  const lists = table.filter(({ input }) => Object.hasOwn(input.shape, "after"));
  for (const { name, output } of lists) {
    test(`${name} answers one list, and the cursor of the next page in "next"`, () => {
      const { properties = {}, required = [] } = z.toJSONSchema(output);
      const arrays = Object.keys(properties).filter(
        (key) => (properties[key] as { type?: string }).type === "array",
      );
      assert.equal(arrays.length, 1, String(arrays));
      assert.match(arrays[0] ?? "", /s$|^people$/, "its key is a plural");
      assert.deepEqual(
        [...arrays, "next"].filter((key) => !required.includes(key)),
        [],
      );
      const { type } = properties["next"] as { readonly type?: readonly string[] };
      assert.deepEqual(type, ["string", "null"]);
    });
  }
  test("a list is every operation that is called so", () => {
    const named = table.filter(({ command }) => / list$|^list$/.test(command.name));
    assert.deepEqual(
      named.filter((each) => !lists.includes(each)).map(({ name }) => name),
      [],
    );
  });
  for (const { name, input, command, route, aliases = {}, ...rest } of table) {
    test(`${name} has complete descriptions of existing inputs`, () => {
      const known = Object.keys(input.shape);
      for (const [field, schema] of Object.entries(input.shape)) {
        assert.ok((schema as z.ZodType).description, `${field} has no words`);
      }
      const inPath = [...`${route.path}${route.also ?? ""}`.matchAll(/\{(\w+)\}/g)].map(
        ([, field = ""]) => field,
      );
      for (const field of [...command.positionals, ...inPath, ...Object.values(aliases)]) {
        assert.ok(known.includes(field), field);
      }
      for (const other of [...Object.keys(aliases), ...(rest.ignored ?? [])]) {
        assert.ok(!known.includes(other), other);
      }
      // A request with an object cannot be a GET, even if it changes nothing.
      const isRead = route.method === "GET" || name === "schedule_preview";
      assert.equal(isRead, rest.effect === "none");
      assert.equal(z.toJSONSchema(input, { io: "input" }).type, "object");
      assert.equal(z.toJSONSchema(rest.output, { io: "input" }).type, "object");
    });
  }
  test("answers by its output schema, with text in both languages", async () => {
    const at = bookFixture();
    const reload = async () => {
      const steps = await applyDeclared(at.mina, false);
      return { ok: true, changed: ["owners"], needsRestart: [], steps } as const;
    };
    const admin = using(
      { ...at.mina, scopes: ["admin"] as const },
      provide(reloadSettings, () => reload),
      provide(loginLinks, () => () => ({
        url: "http://h/login?code=c",
        expiresAt: at.clock.wall(),
      })),
      ...calendarServices(),
    );
    const ids = new Map<string, string>();
    let page = "";
    const body = { message: "hi", at: 5, atText: "then", target: "inbox:mina", origin: null };
    const { id: failed } = await admin.ledger
      .of(admin.owner, admin.by)
      .append({ kind: "notification", ends: "failed", body });
    const { id: linked } = await admin.ledger
      .of(systemOwner, "x")
      .append(makePerson({ ...minaInChat, owner: "mina", principal: "mina", scopes: ["read"] }));
    const { asking, spoken } = await runsThatTalked(admin);
    const waiting = await happening(admin, { name: "evt-1", task: "task-1" });
    const other = await happening(admin, { name: "evt-2", task: "task-2" });
    const { question, task: over } = await questioned(admin, { name: "evt-3", task: "task-3" });
    const { question: doubted } = await questioned(admin, { name: "evt-4", task: "task-4" });
    const { id: told } = await admin.ledger.of(admin.owner, admin.by).append({
      ...makeSubscription({ webhook: "w", kinds: ["event"], states: [] }),
      outcome: { ...nothingSent, seq: 1, checkpoints: [{ seq: 1, cursor: "1" }] },
    });
    const { id: broken } = await admin.ledger.of(admin.owner, admin.by).append({
      ...makeWorkspace({ ...wanted, owner: admin.owner }, "here", {
        now: admin.now(),
        limits: { perOwner: 2, inAll: 3 },
      }),
      state: "error",
    });
    const { id: synced } = await admin.ledger
      .of(admin.owner, admin.by)
      .append({ ...calendarHere(true) });
    const of = (made: keyof typeof operations) => ({ id: ids.get(made) });
    const inputs: { readonly [Name in keyof typeof operations]: () => object } = {
      remind: () => ({ message: "hi", at: "tomorrow", key: "k" }),
      update: () => ({ ...of("remind"), at: "+1h" }),
      list: () => ({}),
      show: () => of("remind"),
      next: () => ({}),
      explain: () => of("remind"),
      snooze: () => ({ ...of("remind"), at: "+2h" }),
      done: () => ({ id: failed }),
      cancel: () => ({ ...of("remind"), reason: "enough" }),
      retry: () => ({ id: failed }),
      cancelAll: () => ({ search: "nothing like it" }),
      importNotifications: () => ({
        notifications: [{ id: "n_1", message: "hi", scheduled_at: "2026-12-01T09:00:00" }],
      }),
      nag: () => ({ message: "pay rent", curve: "hourly" }),
      listNags: () => ({}),
      showNag: () => of("nag"),
      snoozeNag: () => ({ ...of("nag"), at: "+2h" }),
      pauseNag: () => of("nag"),
      resumeNag: () => of("nag"),
      doneNag: () => of("nag"),
      deleteNag: () => of("nag"),
      putPage: () => ({ id: "trip", title: "Trip" }),
      listPages: () => ({}),
      showPage: () => of("putPage"),
      deletePage: () => of("putPage"),
      syncPush: () => ({ changes: { page: { created: [{ id: "home", title: "Home" }] } } }),
      syncPull: () => ({}),
      createSchedule: () => ({ when: "every day 9am", name: "tidy", run: { command: ["ls"] } }),
      searchSchedules: () => ({}),
      showSchedule: () => of("createSchedule"),
      editSchedule: () => ({ ...of("createSchedule"), notify: "never" }),
      pauseSchedule: () => ({ ...of("createSchedule"), until: "tomorrow" }),
      resumeSchedule: () => of("createSchedule"),
      previewSchedule: () => ({ when: "every 2h" }),
      runScheduleNow: () => of("createSchedule"),
      backfillSchedule: () => ({ ...of("createSchedule"), from: "2026-11-14", dry_run: true }),
      scheduleRuns: () => of("createSchedule"),
      runOutput: () => of("runScheduleNow"),
      showRun: () => of("runScheduleNow"),
      cancelRun: () => of("runScheduleNow"),
      runTask: () => ({ task: "invoice.send", input: { id: 7 } }),
      answerRun: () => ({ id: asking, answer: "yes" }),
      resendRun: () => ({ id: spoken }),
      deleteSchedule: () => of("createSchedule"),
      whoami: () => ({}),
      setProfile: () => ({ quiet: "22:00-07:00" }),
      registerWebhook: () => ({ url: "https://example.org/" }),
      listWebhooks: () => ({}),
      deleteWebhook: () => of("registerWebhook"),
      createToken: () => ({ name: "phone" }),
      listTokens: () => ({}),
      revokeToken: () => of("createToken"),
      login: () => ({}),
      link: () => ({}),
      people: () => ({}),
      unlink: () => ({ id: linked }),
      reloadConfig: () => ({}),
      applySchedules: () => ({ dry_run: true }),
      createWatch: () => ({ name: "backup", every: "1d" }),
      pingWatch: () => of("createWatch"),
      emitEvent: () => ({ type: "jira.ticket.assigned" }),
      listEvents: () => ({}),
      showEvent: () => ({ id: waiting.event }),
      listTasks: () => ({}),
      claimTask: () => ({ id: waiting.task }),
      heartbeatTask: () => ({ id: waiting.task, ticket: 1 }),
      resultTask: () => ({ id: waiting.task, ticket: 1, status: "success", summary: "done" }),
      listQuestions: () => ({}),
      showQuestion: () => ({ id: question }),
      cancelQuestion: () => ({ id: doubted }),
      answerQuestion: () => ({ id: question, answer: "main" }),
      queueLs: () => ({}),
      queueStats: () => ({}),
      queueShow: () => ({ id: other.task }),
      queueEdit: () => ({ id: other.task, priority: "high" }),
      queueMv: () => ({ id: other.task, state: "cancelled" }),
      cancelEvent: () => ({ id: other.event }),
      retryTask: () => ({ id: over }),
      subscribe: () => ({ url: "https://example.org/" }),
      listSubscriptions: () => ({}),
      replaySubscription: () => ({ id: told, from: 1 }),
      resumeSubscription: () => of("subscribe"),
      deleteSubscription: () => of("subscribe"),
      createWorkspace: () => ({ name: "scratch" }),
      listWorkspaces: () => ({}),
      showWorkspace: () => of("createWorkspace"),
      setWorkspace: () => ({ ...of("createWorkspace"), memo: "mine" }),
      touchWorkspace: () => of("createWorkspace"),
      archiveWorkspace: () => of("createWorkspace"),
      restoreWorkspace: () => of("createWorkspace"),
      planWorkspace: () => of("createWorkspace"),
      recoverWorkspace: () => ({ id: broken }),
      deleteWorkspace: () => of("createWorkspace"),
      collectArchives: () => ({ apply: true }),
      connectCalendar: () => ({
        kind: "google",
        redirect_uri: "http://127.0.0.1:8123/",
      }),
      finishCalendar: () => ({ address: allowedAt(page) }),
      createCalendar: () => ({ kind: "ics", name: "phone" }),
      listCalendars: () => ({}),
      showCalendar: () => of("createCalendar"),
      editCalendar: () => ({ ...of("createCalendar"), shows: "nags,schedules" }),
      planCalendar: () => ({ id: synced }),
      syncCalendar: () => ({ id: synced }),
      confirmCalendar: () => ({ id: synced }),
      deleteCalendar: () => of("createCalendar"),
      simulate: () => ({}),
      pauseEverything: () => ({}),
      resumeEverything: () => ({}),
      exportBook: () => ({}),
      importBook: () => ({
        lines: [
          headOf({ owner: admin.owner, kinds: [], position: null, now: admin.now() }),
          endOf({ records: 0, position: null }),
        ],
      }),
    };
    for (const [name, input] of Object.entries(inputs)) {
      const one: Operation = operations[name as keyof typeof operations];
      const { output, reader } = await callOperation(admin, one, input(), admin);
      assert.deepEqual(one.output.parse(output), output, name);
      if (name === "connectCalendar") page = operations.connectCalendar.output.parse(output).url;
      ids.set(name, z.object({ id: z.string().default("") }).parse(output).id);
      const [en, ko] = (["en", "ko"] as const).map((language) =>
        one.render(output, { ...reader, language }),
      );
      assert.ok(en !== "" && ko !== "", name);
      // A list of names has no text of its own, and a file none for people.
      const isSame = ["listTokens", "exportBook"].includes(name);
      assert.equal(en === ko, isSame, `${name}: ${en} / ${ko}`);
    }
  });
});
