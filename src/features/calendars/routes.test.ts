import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { convertIcsCalendar, type IcsEvent } from "ts-ics";
import { type HttpFixture, httpFixture } from "../../../test/http-fixture.ts";
import { plainBody } from "../../testing/calendars/calendar-node.ts";
import { makeNotification, type NotificationKind } from "../notifications/index.ts";
import { pingHash, pingToken } from "../schedules/index.ts";
import type { CalendarKind } from "./kind.ts";

interface Feed extends HttpFixture {
  readonly id: string;
  readonly path: string;
  add(message: string, minutesAhead?: number): Promise<string>;
  read(headers?: Readonly<Record<string, string>>, path?: string): Promise<Response>;
  events(): Promise<readonly IcsEvent[]>;
}

async function feed(t: TestContext, given: Partial<CalendarKind["body"]> = {}): Promise<Feed> {
  const fixture = await httpFixture(t);
  const book = fixture.ledger.of("mina", "mina");
  const { id } = await book.append<CalendarKind>({
    kind: "calendar",
    body: { ...plainBody, account: { type: "ics", secretHash: pingHash("secret") }, ...given },
    state: "active",
  });
  const path = `/calendars/${pingToken("mina", id, "secret")}.ics`;
  const read: Feed["read"] = (headers = {}, at = path) =>
    fetch(new URL(at, fixture.url), { headers });
  return {
    ...fixture,
    id,
    path,
    read,
    async add(message, minutesAhead = 60) {
      const at = fixture.clock.wall() + minutesAhead * 60_000;
      const given = { message, at, atText: "later", target: "inbox:mina", origin: null };
      return (await book.append(makeNotification(given))).id;
    },
    events: async () => convertIcsCalendar(undefined, await (await read()).text()).events ?? [],
  };
}

describe("a feed", () => {
  test("has an event for each waiting notification, for programs without a login", async (t) => {
    const { add, read, events, clock } = await feed(t, { name: "미나의 약" });
    await add("약 먹기; with, water\nand bread");
    await add("Call Mina", 120);
    const answer = await read();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/calendar; charset=utf-8");
    assert.equal(answer.headers.get("cache-control"), "private, no-cache");
    assert.match(await answer.text(), /\r\nX-WR-CALNAME:미나의 약\r\n/);
    const found = (await events()).toSorted((a, b) => +a.start.date - +b.start.date);
    assert.deepEqual(
      found.map(({ summary, start, sequence }) => [summary, +start.date, sequence]),
      [
        ["약 먹기; with, water", Math.floor(clock.wall() / 1_000) * 1_000 + 3_600_000, 1],
        ["Call Mina", Math.floor(clock.wall() / 1_000) * 1_000 + 7_200_000, 1],
      ],
    );
  });
  test("is empty, and valid, for an empty book", async (t) => {
    const { read, events } = await feed(t);
    assert.match(await (await read()).text(), /^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
    assert.deepEqual(await events(), []);
  });
  test("moves an event, with a higher sequence, and drops what has ended", async (t) => {
    const { add, events, ledger, clock } = await feed(t);
    const [id, gone] = [await add("Move"), await add("Gone")];
    const book = ledger.of("mina", "mina");
    const before = (await events()).find(({ summary }) => summary === "Move");
    const record = await book.get(id);
    assert.ok(record);
    const body = { ...(record.body as NotificationKind["body"]), at: clock.wall() + 9_000_000 };
    await book.edit<NotificationKind>({ kind: "notification", id, body, wakeAt: body.at });
    await book.cancel({ id: gone });
    const [after, ...more] = await events();
    assert.deepEqual([after?.uid, more], [before?.uid, []]);
    assert.equal(Number(after?.start.date) - Number(before?.start.date), 5_400_000);
    assert.ok((after?.sequence ?? 0) > (before?.sequence ?? 0));
  });
  test("keeps ended notifications without an alarm, where it is set so", async (t) => {
    const { add, events, ledger } = await feed(t, { ended: "keep" });
    await ledger.of("mina", "mina").cancel({ id: await add("Gone") });
    const [event, ...more] = await events();
    assert.deepEqual([event?.summary, event?.alarms ?? [], more], ["Gone", [], []]);
  });
  test("is the same text until something changes, and is then not sent again", async (t) => {
    const { add, read, clock } = await feed(t);
    await add("Same");
    const etag = (await read()).headers.get("etag") ?? "";
    assert.match(etag, /^"[\w-]{27}"$/);
    clock.step(60_000);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await read({ "if-none-match": known });
      assert.deepEqual([answer.status, await answer.text()], [304, ""], known);
      assert.equal(answer.headers.get("etag"), etag);
    }
    assert.equal((await read({ "if-none-match": '"other"' })).status, 200);
    await add("Another");
    assert.equal((await read({ "if-none-match": etag })).status, 200);
  });
  test("is described for programs", async (t) => {
    const { ask } = await feed(t);
    const { paths } = (await ask("/openapi.json")).json as { paths: Record<string, object> };
    assert.deepEqual(Object.keys(paths["/calendars/{token}"] ?? {}), ["get"]);
  });
  test("shows nothing of another owner's book", async (t) => {
    const { events, ledger, clock } = await feed(t);
    const at = clock.wall() + 60_000;
    const draft = makeNotification({
      message: "Jun's",
      at,
      atText: "",
      target: "inbox:jun",
      origin: null,
    });
    await ledger.of("jun", "jun").append(draft);
    assert.deepEqual(await events(), []);
  });
});

describe("the address of a feed", () => {
  test("that is wrong, revoked or of another calendar answers alike, and guessing is slowed", async (t) => {
    const { read, id, path, ledger } = await feed(t);
    const bare = async (answer: Response) => {
      const problem = (await answer.json()) as object;
      return { ...problem, request_id: "" };
    };
    const wrong = [
      `/calendars/${pingToken("mina", id, "guess")}.ics`,
      `/calendars/${pingToken("jun", id, "secret")}.ics`,
      `/calendars/${pingToken("mina", "none", "secret")}.ics`,
      path.replace(".ics", ""),
      path.replace(".ics", ".ICS"),
    ];
    await ledger.of("mina", "mina").cancel({ id });
    const revoked = await read();
    assert.equal(revoked.status, 404);
    const expected = await bare(revoked);
    for (const each of wrong) assert.deepEqual(await bare(await read({}, each)), expected);
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth += 1) {
      statuses.push((await read({}, `/calendars/a.b.c${nth}.ics`)).status);
    }
    assert.equal(statuses.at(-1), 429);
  });
  test("of a calendar elsewhere is none", async (t) => {
    const account = {
      type: "caldav",
      url: "https://x.example/",
      collection: "https://x.example/c/",
      username: "m",
      password: { env: "P" },
    } as const;
    const { read } = await feed(t, { account });
    assert.equal((await read()).status, 404);
  });
  test("stands in no log line", async (t) => {
    const { read, path, lines } = await feed(t);
    await read();
    await read({}, path.replace("secret", "wrong"));
    const all = lines.join("\n");
    assert.match(all, /"\/calendars\/…"/);
    const [, token = ""] = /\/calendars\/([^.]+)/.exec(path) ?? [];
    assert.ok(token.length > 3 && !all.includes(token) && !all.includes("secret"));
  });
});
