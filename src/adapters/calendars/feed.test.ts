import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { EntryContent } from "../../features/calendars/content.ts";
import { feedFile } from "../../features/calendars/icalendar/write.ts";
import { entryId } from "../../features/calendars/kind.ts";
import { caldavRig } from "../../testing/calendars/caldav-rig.ts";
import { radicale } from "../../testing/calendars/radicale.ts";
import { byName, everything } from "../../testing/calendars/service-rig.ts";

const server = await radicale();
const skip = "missing" in server ? server.missing : false;

test("Radicale imports a feed, and has each of its entries", { skip }, async () => {
  assert.ok(!("missing" in server));
  const rig = await caldavRig(server);
  after(() => rig.close?.());
  const { account, connector } = await rig.make();
  assert.ok(account.type === "caldav");
  const at = Date.parse("2026-11-20T00:30:00Z");
  const plain: EntryContent = {
    title: "약; a, b",
    description: "x\ny",
    at,
    zone: "Asia/Seoul",
    minutes: 30,
  };
  const contents: readonly EntryContent[] = [
    plain,
    { ...plain, zone: "America/New_York", recurrence: "FREQ=WEEKLY;BYDAY=MO" },
    { ...plain, zone: "Europe/Berlin", isDone: true, title: "👩‍👩‍👧 done" },
    { ...plain, zone: "UTC" },
  ];
  const events = contents.map((content, nth) => ({
    id: entryId("feed", `${nth}`),
    content,
    revision: nth,
    changedAt: at,
  }));
  const text = feedFile({ name: "미나", events, refreshMinutes: 15 });
  const login = Buffer.from(`${account.username}:${server.password}`).toString("base64");
  const answer = await fetch(account.collection, {
    method: "PUT",
    headers: { authorization: `Basic ${login}`, "content-type": "text/calendar; charset=utf-8" },
    body: text,
  });
  assert.equal(answer.status, 201, await answer.text());
  const found = byName((await everything(connector.open(account))).entries);
  assert.equal(found.size, events.length);
  for (const { id, content } of events) {
    // A feed leaves out what only we read: whether an entry is done.
    const { isDone: _, ...shown } = content;
    assert.deepEqual(found.get(id)?.content, shown);
  }
});
