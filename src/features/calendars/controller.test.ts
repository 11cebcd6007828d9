import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { recordsIn } from "../../kernel/list-all.ts";
import { seededRandom } from "../../platform/random.ts";
import { calendarNode, owner, type CalendarNode } from "../../testing/calendars/calendar-node.ts";
import {
  faultyConnector,
  noFaults,
  type ServiceFaults,
} from "../../testing/calendars/faulty-connector.ts";
import {
  memoryAccount,
  memoryCalendar,
  type MemoryCalendar,
  memoryConnector,
} from "../../testing/calendars/memory-calendar.ts";
import { makeNotification, notificationKind } from "../notifications/index.ts";
import type { CalendarKind } from "./kind.ts";

interface Fixture {
  readonly node: CalendarNode;
  readonly calendar: MemoryCalendar;
  readonly faults: ServiceFaults;
  add(message: string): Promise<string>;
}

async function fixture(
  body: Partial<CalendarKind["body"]> = {},
  mirrors = false,
): Promise<Fixture> {
  const calendar = memoryCalendar();
  const faults = noFaults();
  const plain = memoryConnector(calendar, { mirrorsRecords: mirrors });
  const connector = faultyConnector(plain, faults, seededRandom(1));
  const node = await calendarNode({ account: memoryAccount, connector, body });
  return {
    node,
    calendar,
    faults,
    async add(message) {
      const at = node.now() + 3_600_000;
      const target = `inbox:${owner}`;
      const draft = makeNotification({ message, at, atText: "later", target, origin: null });
      return (await node.book.append(draft)).id;
    },
  };
}

const titles = ({ calendar }: Fixture): readonly (string | undefined)[] =>
  calendar.list().map(({ content }) => content?.title);

describe("a calendar", () => {
  test("keeps a token that is newer than its entries, so that a removal of one is told", async () => {
    const at = await fixture();
    await at.add("stay");
    await at.node.converge();
    const { outcome } = await at.node.calendar();
    const signal = new AbortController().signal;
    const { entries } = await at.calendar.service.changes(outcome?.token ?? null, signal);
    assert.deepEqual(entries, []);
  });
  test("whose service cannot be read is not read as empty: nothing is written or cancelled", async () => {
    const at = await fixture({ editsFlowBack: true });
    const id = await at.add("stay");
    await at.node.converge();
    const writes = at.calendar.writes;
    at.faults.cutOff = 1;
    for (let passes = 0; passes < 3; passes += 1) await at.node.attempt();
    assert.equal((await at.node.book.get(id))?.state, "pending");
    assert.equal(at.calendar.writes, writes);
    const { outcome } = await at.node.calendar();
    assert.deepEqual([outcome?.failures, outcome?.reason], [3, "The service is down."]);
    at.faults.cutOff = 0;
    await at.node.converge();
    assert.equal((await at.node.calendar()).outcome?.failures, 0);
  });
  test("that does not exist any more cancels nothing, and its owner is told once", async () => {
    const at = await fixture({ editsFlowBack: true });
    const id = await at.add("stay");
    await at.node.converge();
    at.calendar.isGone = true;
    for (let passes = 0; passes < 3; passes += 1) await at.node.attempt();
    assert.equal((await at.node.book.get(id))?.state, "pending");
    assert.equal((await notices(at)).length, 1);
  });
  test("keeps what ended as done where that is asked for", async () => {
    const at = await fixture({ ended: "keep" });
    const id = await at.add("done soon");
    await at.node.converge();
    await at.node.book.cancel({ id });
    await at.node.converge();
    assert.deepEqual(
      at.calendar.list().map(({ content }) => content?.isDone),
      [true],
    );
    await at.node.converge();
    assert.equal(at.calendar.list().length, 1);
  });
  test("shows an entry again whose change there could not be undone at first: it is tried again", async () => {
    const at = await fixture();
    await at.add("ours");
    await at.node.converge();
    const [entry] = at.calendar.list();
    at.calendar.change(entry?.location.remoteId ?? "", { title: "theirs" });
    at.faults.refused = 1;
    await at.node.attempt();
    await at.node.attempt();
    at.faults.refused = 0;
    at.node.advance(3_600_000);
    await at.node.converge();
    assert.deepEqual(titles(at), ["ours"]);
  });
  test("waits for a person before it hides many, and hides them after the confirmation", async () => {
    const at = await fixture({ shows: [] });
    for (let count = 1; count <= 5; count += 1) await at.add(`number ${count}`);
    await at.node.converge();
    for (const { location } of at.calendar.list()) at.calendar.remove(location.remoteId);
    await at.node.converge();
    assert.deepEqual(titles(at), []);
    const { body, outcome } = await at.node.calendar();
    assert.deepEqual(outcome?.brake, { removals: 5, entries: 5 });
    const asked = body.asked + 1;
    await at.node.edit({ asked, confirmed: { removals: 5, asked } });
    await at.node.converge();
    assert.equal(titles(at).length, 5);
    assert.equal((await at.node.calendar()).outcome?.brake, null);
  });
  test("that mirrors records makes one notification of a row by hand, and writes its id there", async () => {
    const at = await fixture({ editsFlowBack: true }, true);
    const row = { description: "", zone: "Asia/Seoul", minutes: 30 };
    at.calendar.add({ ...row, title: "by hand", at: at.node.now() + 7_200_000 });
    await at.node.converge();
    const made = await Array.fromAsync(recordsIn(at.node.book, { kind: notificationKind }));
    assert.deepEqual(
      made.map(({ body }) => body.message),
      ["by hand"],
    );
    const [entry] = at.calendar.list();
    assert.equal(at.calendar.list().length, 1);
    assert.equal(entry?.content?.fields?.["id"], made[0]?.id);
    assert.match(entry?.id ?? "", /^db/);
  });
  test("that is deleted and kept there leaves its entries", async () => {
    const at = await fixture();
    await at.add("stays there");
    await at.node.converge();
    await at.node.edit({ leaving: "keep" });
    while ((await at.node.calendar()).endedAt === null) await at.node.attempt();
    assert.deepEqual(titles(at), ["stays there"]);
  });
});

async function notices({ node }: Fixture): Promise<readonly string[]> {
  const all = await Array.fromAsync(recordsIn(node.book, { kind: notificationKind }));
  return all.filter(({ body }) => body.type === "notice").map(({ body }) => body.message);
}
