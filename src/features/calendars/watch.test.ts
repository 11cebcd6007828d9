import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { calendarHere } from "../../../test/calendars-here.ts";
import { runController } from "../../kernel/runtime.ts";
import { owner } from "../../testing/calendars/calendar-node.ts";
import { memoryCalendar, memoryConnector } from "../../testing/calendars/memory-calendar.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/index.ts";
import { makeNotification } from "../notifications/index.ts";
import { calendarController } from "./controller.ts";

const hourMs = 3_600_000;

async function running() {
  const at = nodeFixture();
  const calendar = memoryCalendar();
  const connector = memoryConnector<"caldav">(calendar);
  const controller = calendarController({
    ledger: at.ledger,
    clock: at.clock,
    connectors: () => ({ caldav: connector }),
    profile: () => Promise.resolve(plainProfile),
    pollMs: () => 60_000,
  });
  await runController(controller, at.ports, at.options).start();
  const { outcome: _, ...draft } = calendarHere(false);
  const { id } = await at.ledger.of(owner, owner).append({ ...draft, wakeAt: at.clock.wall() });
  return { at, calendar, id };
}

async function add({ ledger, clock }: NodeFixture, message: string): Promise<string> {
  const target = `inbox:${owner}`;
  const body = { message, at: clock.wall() + hourMs, atText: "later", target, origin: null };
  return (await ledger.of(owner, owner).append(makeNotification(body))).id;
}

describe("a calendar on a node", () => {
  test("follows the book within seconds, and the service within a minute", async () => {
    const { at, calendar } = await running();
    await at.pass(5_000);
    const id = await add(at, "tea");
    await at.pass(5_000);
    assert.deepEqual(
      calendar.list().map(({ content }) => content?.title),
      ["tea"],
    );
    calendar.change(calendar.list()[0]?.location.remoteId ?? "", { title: "theirs" });
    await at.pass(70_000);
    assert.deepEqual(
      calendar.list().map(({ content }) => content?.title),
      ["tea"],
    );
    await at.ledger.of(owner, owner).cancel({ id });
    await at.pass(5_000);
    assert.deepEqual(calendar.list(), []);
  });
  test("writes nothing for hours in which nothing changes", async () => {
    const { at, calendar, id } = await running();
    await add(at, "tea");
    await at.pass(10_000);
    const before = await at.ledger.of(owner, owner).changes({});
    const { writes } = calendar;
    await at.pass(3 * hourMs);
    assert.equal(calendar.writes, writes);
    assert.deepEqual((await at.ledger.of(owner, owner).changes({})).changes, before.changes);
    assert.equal((await at.ledger.of(owner, owner).get(id))?.state, "active");
  });
  test("makes a pass at once for a request, though it waits", async () => {
    const { at, id } = await running();
    await at.pass(10_000);
    const book = at.ledger.of(owner, owner);
    const record = await book.get(id);
    const body = { ...calendarHere(false).body, asked: 7 };
    await book.edit({ kind: "calendar", id, body, wakeAt: at.clock.wall() });
    await at.pass(5_000);
    assert.notEqual((await book.get(id))?.revision, record?.revision);
    const { outcome } = (await book.get(id)) ?? {};
    assert.equal((outcome as { asked?: number } | null)?.asked, 7);
  });
});
