import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertContent,
  byName,
  type CalendarRig,
  contentOf,
  everything,
  hourMs,
  idOf,
  type MakeCalendarRig,
  signal,
  since,
  tomorrow,
  written,
} from "./rig.ts";

/** What `changes` lists: everything, and what happened since a token. */
export function changeCases(make: MakeCalendarRig): void {
  listCases(make);
  personCases(make);
  foreignCases(make);
}

function listCases(make: MakeCalendarRig): void {
  void test("an empty calendar lists nothing, and nothing happens to it by itself", async (t) => {
    const { service } = await make(t);
    const first = await everything(service);
    assert.deepEqual(first.entries, []);
    let { token } = first;
    for (let times = 0; times < 3; times += 1) {
      const next = await since(service, token);
      assert.deepEqual([...next.entries], []);
      token = next.token;
    }
  });
  void test("a token lists what was written after it, by any node", async (t) => {
    const rig = await make(t);
    const { token } = await everything(rig.service);
    const [a, b] = [idOf("a"), idOf("b")];
    const content = contentOf(rig, { title: "A" });
    const location = await written(rig.other, a, content);
    await written(rig.service, b, contentOf(rig, { title: "B" }));
    const first = await since(rig.service, token);
    assert.deepEqual([...first.entries.keys()].toSorted(), [a, b]);
    assert.deepEqual(first.entries.get(a)?.location, location);
    assertContent(rig, first.entries.get(a)?.content, content);
    const moved = await written(rig.other, a, contentOf(rig, { title: "A2" }), location);
    const second = await since(rig.service, first.token);
    assert.deepEqual(second.entries.get(a)?.location.etag, moved.etag);
    assert.equal(second.entries.get(b)?.content?.title ?? "B", "B");
    // The old token still lists what is true now.
    assert.equal((await since(rig.service, token)).entries.get(a)?.content?.title, "A2");
  });
  void test("a forgotten token lists everything", async (t) => {
    const rig = await make(t);
    const id = idOf("kept");
    await written(rig.service, id, contentOf(rig));
    const foreign = await rig.person.add(event(rig));
    const changes = await rig.service.changes(await rig.forgottenToken(), signal);
    assert.equal(changes.isComplete, true);
    assert.deepEqual([...byName(changes.entries).keys()].toSorted(), [id, foreign].toSorted());
    assert.deepEqual([...(await since(rig.service, changes.token)).entries], []);
  });
  void test("200 entries are listed, changed and removed, each once", async (t) => {
    const rig = await make(t);
    const ids = Array.from({ length: 200 }, (_, nth) => idOf(`n${nth}`)).toSorted();
    const { token } = await everything(rig.service);
    for (const [nth, id] of ids.entries()) {
      const at = tomorrow(rig) + nth * hourMs;
      await written(rig.service, id, contentOf(rig, { title: `Entry ${nth}`, at }));
    }
    const complete = byName((await everything(rig.other)).entries);
    assert.deepEqual([...complete.keys()].toSorted(), ids);
    const delta = await since(rig.service, token);
    assert.deepEqual([...delta.entries.keys()].toSorted(), ids);
    for (const [id, { location }] of complete) {
      await rig.service.remove({ id, known: location }, signal);
    }
    assert.deepEqual((await everything(rig.service)).entries, []);
    assert.deepEqual(await rig.person.list(), []);
  });
}

function personCases(make: MakeCalendarRig): void {
  void test("an entry that a person moved, renamed or deleted is listed so", async (t) => {
    const rig = await make(t);
    const id = idOf("edited");
    const content = contentOf(rig);
    const location = await written(rig.service, id, content);
    const start = await everything(rig.service);
    const at = content.at + 5 * hourMs;
    await rig.person.change(location.remoteId, { at });
    const moved = await since(rig.service, start.token);
    assertContent(rig, moved.entries.get(id)?.content, { ...content, at });
    assert.notEqual(moved.entries.get(id)?.location.etag, location.etag);
    await rig.person.change(location.remoteId, { title: "다른 이름" });
    const renamed = await since(rig.service, moved.token);
    assertContent(rig, renamed.entries.get(id)?.content, { ...content, at, title: "다른 이름" });
    await rig.person.change(location.remoteId, { minutes: 90 });
    const longer = await since(rig.service, renamed.token);
    assert.equal(longer.entries.get(id)?.content?.minutes ?? 90, 90);
    await rig.person.remove(location.remoteId);
    const { entries, isComplete } = await rig.service.changes(longer.token, signal);
    if (!isComplete) assert.equal(byName(entries).get(id)?.content, null);
    assert.deepEqual((await everything(rig.service)).entries, []);
  });
}

function foreignCases(make: MakeCalendarRig): void {
  void test("foreign entries are seen, and are not ours", async (t) => {
    const rig = await make(t);
    const start = await everything(rig.service);
    const meeting = event(rig);
    const remoteId = await rig.person.add(meeting);
    const added = await since(rig.service, start.token);
    const entry = added.entries.get(remoteId);
    assert.deepEqual([entry?.id, entry?.content?.title], [null, meeting.title]);
    assert.deepEqual([entry?.content?.at, entry?.content?.minutes], [meeting.at, meeting.minutes]);
    await rig.person.change(remoteId, { at: meeting.at + hourMs });
    const moved = await since(rig.service, added.token);
    assert.equal(moved.entries.get(remoteId)?.content?.at, meeting.at + hourMs);
    await rig.person.remove(remoteId);
    const { entries, isComplete } = await rig.service.changes(moved.token, signal);
    if (!isComplete) assert.equal(byName(entries).get(remoteId)?.content, null);
    assert.deepEqual((await everything(rig.service)).entries, []);
  });
  void test("a foreign entry marks its time as busy, unless it is free or ours", async (t) => {
    const rig = await make(t);
    if (rig.neverBusy !== undefined) return t.skip(rig.neverBusy);
    const meeting = event(rig);
    const busy = await rig.person.add(meeting);
    const free = await rig.person.add({ ...meeting, title: "Maybe", isFree: true });
    await written(rig.service, idOf("ours"), contentOf(rig, { at: meeting.at }));
    const entries = byName((await everything(rig.service)).entries);
    const { at, minutes } = meeting;
    assert.deepEqual(entries.get(busy)?.busy, [{ from: at, to: at + minutes * 60_000 }]);
    assert.deepEqual(entries.get(free)?.busy ?? [], []);
    assert.deepEqual(entries.get(idOf("ours"))?.busy ?? [], []);
  });
  void test("foreign entries stay as they are, whatever is done to ours", async (t) => {
    const rig = await make(t);
    for (const title of ["Meeting", "회의", "Party"])
      await rig.person.add({ ...event(rig), title });
    const before = await rig.person.list();
    const id = idOf("ours");
    const first = await written(rig.service, id, contentOf(rig));
    const second = await written(rig.service, id, contentOf(rig, { title: "Moved" }), first);
    await rig.service.remove({ id, known: second }, signal);
    const order = (events: typeof before) =>
      events.toSorted((a, b) => (a.title < b.title ? -1 : 1));
    assert.deepEqual(order(await rig.person.list()), order(before));
  });
}

function event(rig: CalendarRig) {
  return { title: "Meeting with Mina", at: tomorrow(rig) + 2 * hourMs, minutes: 45 };
}
