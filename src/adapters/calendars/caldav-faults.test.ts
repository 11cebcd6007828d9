import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { EntryContent } from "../../features/calendars/content.ts";
import { eventFile } from "../../features/calendars/icalendar/write.ts";
import { entryId } from "../../features/calendars/kind.ts";
import type { CalendarService } from "../../features/calendars/service.ts";
import type { ErrorCode } from "../../platform/errors.ts";
import { caldavOf } from "../../testing/calendars/caldav-rig.ts";
import {
  type Answer,
  type Asked,
  list,
  type Reply,
  type Resource,
  serving,
} from "../../testing/calendars/scripted-dav.ts";
import { changedEntry, fails, signal } from "../../testing/calendars/service-rig.ts";

const id = entryId("calendar", "record");
const path = `/cal/${id}.ics`;
const content: EntryContent = {
  title: "약 먹기 & <tea>",
  description: "",
  at: Date.parse("2026-11-21T00:30:00Z"),
  zone: "Asia/Seoul",
  minutes: 30,
};
const known = { remoteId: path, etag: '"1"' };

function file(given: Partial<EntryContent> = {}, entry = id): string {
  const all = { ...content, ...given };
  return eventFile({ id: entry, content: all, revision: 1, changedAt: content.at });
}

async function calendar(
  t: TestContext,
  answer: Answer,
): Promise<{ service: CalendarService; asked: readonly Asked[] }> {
  const { url, asked } = await serving(t, answer);
  const password = { env: "P" };
  const account = {
    type: "caldav",
    url,
    collection: `${url}/cal/`,
    username: "m",
    password,
  } as const;
  return { service: caldavOf(url, "p").open(account), asked };
}

const collection: Resource = { href: "/cal/", props: "<cs:getctag>tag-1</cs:getctag>" };
const reports =
  "<d:supported-report-set><d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report></d:supported-report-set>";

function data(href: string, text: string, etag = '"1"'): Resource {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return {
    href,
    props: `<d:getetag>${etag}</d:getetag><c:calendar-data>${escaped}</c:calendar-data>`,
  };
}

/** Answers by the method and the kind of report. */
function by(answers: Readonly<Record<string, (asked: Asked) => Reply>>): Answer {
  return (asked) => {
    const [, report] =
      /<[cd]:(sync-collection|calendar-multiget|calendar-query)/.exec(asked.body) ?? [];
    return answers[report ?? asked.method]?.(asked) ?? { status: 501 };
  };
}

describe("an answer that is no success", () => {
  const put = (service: CalendarService) => service.put({ id, content, known }, signal);
  const table: readonly (readonly [string, Reply, ErrorCode, Record<string, unknown>])[] = [
    [
      "a rate limit",
      { status: 429, headers: { "retry-after": "90" } },
      "unavailable",
      { restMs: 90_000 },
    ],
    ["a pause", { status: 503, headers: { "retry-after": "7" } }, "unavailable", { restMs: 7_000 }],
    ["an internal error", { status: 500 }, "unavailable", {}],
    ["a rejected login", { status: 401 }, "refused", {}],
    ["a missing right", { status: 403 }, "refused", {}],
    ["a full disk", { status: 507 }, "unavailable", {}],
    ["a redirect", { status: 301, headers: { location: "/other/" } }, "unavailable", {}],
  ];
  for (const [name, reply, code, details] of table) {
    test(`for the whole calendar: ${name}`, async (t) => {
      const { service, asked } = await calendar(t, () => reply);
      const error = await fails(put(service), code);
      assert.deepEqual({ ...details, ...error.details }, error.details);
      assert.equal(error.details["entry"], undefined);
      assert.equal(asked.length, 1, "nothing is sent elsewhere");
    });
  }
  const condition = (name: string) => `<d:error xmlns:d="DAV:"><c:${name} xmlns:c="x"/></d:error>`;
  const ofEntry: Readonly<Record<string, Reply>> = {
    "an entry that is too large": { status: 403, body: condition("max-resource-size") },
    "an entry that is not valid there": { status: 403, body: condition("valid-calendar-data") },
    "a file that is too large": { status: 413 },
    "a type that is not known": { status: 415 },
  };
  for (const [name, reply] of Object.entries(ofEntry)) {
    test(`for one entry: ${name}`, async (t) => {
      const { service } = await calendar(t, () => reply);
      assert.equal((await fails(put(service), "refused")).details["entry"], true);
    });
  }
  test("is an error of a list too, and never an empty one", async (t) => {
    const cut = list([collection]).body?.replace("</d:multistatus>", "") ?? "";
    const bodies = ["", "<html>", "<d:multistatus xmlns:d='DAV:'><d:response>", cut];
    for (const body of bodies) {
      const { service } = await calendar(t, () => ({ status: 207, body }));
      await fails(service.changes(null, signal), "unavailable");
    }
    const one = await calendar(t, () => list([{ href: "http%3A//x/cal/", status: 404 }]));
    await fails(one.service.changes(null, signal), "not_found");
  });
});

describe("a write", () => {
  test("names the version that it replaces, or that there is none", async (t) => {
    const { service, asked } = await calendar(t, () => ({ status: 204, headers: { etag: '"2"' } }));
    await service.put({ id, content, known: null }, signal);
    await service.put({ id, content, known }, signal);
    await service.remove({ id, known }, signal);
    assert.deepEqual(
      asked.map(({ method, path: at, headers }) => [
        method,
        at,
        headers["if-none-match"],
        headers["if-match"],
      ]),
      [
        ["PUT", path, "*", undefined],
        ["PUT", path, undefined, '"1"'],
        ["DELETE", path, undefined, '"1"'],
      ],
    );
    const sequences = asked.slice(0, 2).map(({ body }) => Number(/SEQUENCE:(\d+)/.exec(body)?.[1]));
    assert.ok((sequences[0] ?? 0) > 0 && (sequences[1] ?? 0) >= (sequences[0] ?? 0));
  });
  test("is read back for its version where the server names none", async (t) => {
    const { service } = await calendar(
      t,
      by({
        PUT: () => ({ status: 201 }),
        GET: () => ({ status: 200, headers: { etag: '"7"' }, body: file() }),
      }),
    );
    const location = { remoteId: path, etag: '"7"' };
    assert.deepEqual(await service.put({ id, content, known: null }, signal), {
      result: "written",
      location,
    });
  });
  test("does not take somebody else's version for its own", async (t) => {
    const theirs = file({ title: "Theirs" });
    const { service } = await calendar(
      t,
      by({
        PUT: () => ({ status: 204 }),
        GET: () => ({ status: 200, headers: { etag: '"8"' }, body: theirs }),
      }),
    );
    const entry = changedEntry(await service.put({ id, content, known }, signal));
    assert.deepEqual([entry.content?.title, entry.location.etag], ["Theirs", '"8"']);
  });
  for (const reply of [
    { status: 409, body: '<error xmlns="DAV:"><C:no-uid-conflict xmlns:C="x"/></error>' },
    { status: 207, body: "<d:multistatus><d:error><c:no-uid-conflict/></d:error></d:multistatus>" },
  ]) {
    test(`finds its entry under another name (${reply.status})`, async (t) => {
      const other = "/cal/A%20B.ics";
      const { service, asked } = await calendar(
        t,
        by({
          PUT: () => reply,
          PROPFIND: () => list([collection]),
          "calendar-query": () =>
            list([{ href: "/cal/A%20B.ics", props: '<d:getetag>"5"</d:getetag>' }]),
          GET: () => ({ status: 200, headers: { etag: '"5"' }, body: file({ title: "Moved" }) }),
        }),
      );
      const entry = changedEntry(await service.put({ id, content, known: null }, signal));
      assert.deepEqual([entry.id, entry.location], [id, { remoteId: other, etag: '"5"' }]);
      assert.ok(asked.some(({ body }) => body.includes(`>${id}@daybook<`)));
    });
  }
  test("of an entry that somebody made unreadable says so", async (t) => {
    const { service } = await calendar(
      t,
      by({
        PUT: () => ({ status: 412 }),
        GET: () => ({ status: 200, headers: { etag: '"9"' }, body: "?" }),
      }),
    );
    const entry = changedEntry(await service.put({ id, content, known }, signal));
    assert.deepEqual([entry.id, entry.content, entry.location.etag], [id, null, '"9"']);
    assert.match(entry.problem ?? "", /no event any more/);
  });
});

describe("the changes", () => {
  const files = by({
    PROPFIND: ({ headers }) =>
      list(
        headers["depth"] === "0"
          ? [collection]
          : [
              collection,
              { href: path, props: '<d:getetag>"1"</d:getetag>' },
              { href: "/cal/sub/" },
            ],
      ),
    "calendar-multiget": () => list([data(path, file())]),
  });
  test("of a server without sync-collection are everything, until nothing changes", async (t) => {
    const { service, asked } = await calendar(t, files);
    const first = await service.changes(null, signal);
    assert.deepEqual([first.isComplete, first.entries.map((each) => each.id)], [true, [id]]);
    assert.deepEqual(first.entries[0]?.content, content);
    const before = asked.length;
    const second = await service.changes(first.token, signal);
    assert.deepEqual(second, { token: first.token, isComplete: false, entries: [] });
    assert.equal(asked.length - before, 1);
    assert.equal((await service.changes("tag:tag-0", signal)).isComplete, true);
  });
  for (const status of [400, 403, 409, 410, 412, 500]) {
    test(`after a token that the server answers with ${status} are everything`, async (t) => {
      const { service } = await calendar(t, (asked) =>
        asked.body.includes("sync-collection") ? { status } : files(asked),
      );
      assert.equal((await service.changes("sync:old", signal)).isComplete, true);
    });
  }
  for (const status of [401, 429, 503]) {
    test(`of a server that answers a token with ${status} are an error`, async (t) => {
      const { service, asked } = await calendar(t, () => ({ status }));
      await fails(service.changes("sync:old", signal), status === 401 ? "refused" : "unavailable");
      assert.equal(asked.length, 1);
    });
  }
  test("in several parts are read to the end", async (t) => {
    const parts = ["", "t1", "t2"];
    const [a = "", b = ""] = ["a", "b"].map((name) => entryId("calendar", name));
    const { service } = await calendar(
      t,
      by({
        PROPFIND: () => list([{ href: "/cal/", props: reports }]),
        "sync-collection": ({ body }) => {
          const at = parts.findLastIndex((token) => body.includes(token));
          const more = { href: "/cal/", status: 507 };
          const one = { href: `/cal/${at === 0 ? a : b}.ics`, props: '<d:getetag>"1"</d:getetag>' };
          const resources = at === 0 ? [one, more] : at === 1 ? [one, more] : [];
          return list(resources, `<d:sync-token>${parts[at + 1] ?? "end"}</d:sync-token>`);
        },
        "calendar-multiget": () =>
          list([a, b].map((each) => data(`/cal/${each}.ics`, file({}, each)))),
      }),
    );
    const { token, isComplete, entries } = await service.changes(null, signal);
    assert.deepEqual(
      [token, isComplete, entries.map((each) => each.id)],
      ["sync:end", true, [a, b]],
    );
  });
  test("have deleted, vanished, unreadable and renamed entries, and no tasks", async (t) => {
    const [gone = "", torn = ""] = ["gone", "torn"].map((name) => entryId("calendar", name));
    const changed = [`/cal/${torn}.ics`, "/cal/NEW%40x.ics", "/cal/task.ics", "/cal/QUICK.ics"];
    const { service } = await calendar(
      t,
      by({
        "sync-collection": () =>
          list(
            [
              { href: `/cal/${gone}.ics`, status: 404 },
              { href: path, status: 404 },
              ...changed.map((href) => ({ href, props: '<d:getetag>"1"</d:getetag>' })),
            ],
            "<d:sync-token>t2</d:sync-token>",
          ),
        "calendar-multiget": () =>
          list([
            data(`/cal/${torn}.ics`, "no event"),
            data("/cal/NEW@x.ics", file()),
            data("/cal/task.ics", "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nEND:VTODO\nEND:VCALENDAR"),
            { href: "/cal/QUICK.ics", status: 404 },
          ]),
      }),
    );
    const { entries, token } = await service.changes("sync:t1", signal);
    const found = entries.map(({ id: of, location, content: is, problem }) => [
      of,
      location.remoteId,
      is?.title ?? (problem === undefined ? "deleted" : "unreadable"),
    ]);
    assert.equal(token, "sync:t2");
    assert.deepEqual(found, [
      [null, "/cal/QUICK.ics", "deleted"],
      [gone, `/cal/${gone}.ics`, "deleted"],
      [id, "/cal/NEW%40x.ics", content.title],
      [torn, `/cal/${torn}.ics`, "unreadable"],
    ]);
  });
});

test("an installation without the package says what to install", async () => {
  const { caldavCalendars } = await import("./caldav.ts");
  const fetch = () => Promise.reject(new Error("nothing is sent"));
  const { loadPackage } = await import("../../platform/optional-package.ts");
  const connector = caldavCalendars({
    fetch,
    clock: { wall: () => 0 },
    readSecret: () => "p",
    load: () =>
      loadPackage("CalDAV calendars need", "tsdav", () => Promise.reject(new Error("none"))),
  });
  const account = {
    type: "caldav",
    url: "https://x.example/",
    collection: "",
    username: "m",
    password: { env: "P" },
  } as const;
  const error = await fails(connector.resolve(account, signal), "unsupported");
  assert.match(error.message, /npm install tsdav/);
});
