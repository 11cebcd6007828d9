import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntryContent } from "../../features/calendars/content.ts";
import type { RemoteEntry } from "../../features/calendars/service.ts";
import {
  assertContent,
  type Bench,
  benchOf,
  byName,
  contentOf,
  everything,
  hourMs,
  idOf,
  type MakeServiceRig,
  signal,
  since,
  tomorrow,
  written,
} from "./service-rig.ts";

/** What `changes` lists: everything, and what happened since a token. */
export function changeCases(make: MakeServiceRig): void {
  listCases(make);
  personCases(make);
  foreignCases(make);
}

function listCases(make: MakeServiceRig): void {
  void test("an empty calendar lists nothing, and nothing happens to it by itself", async (t) => {
    const { service } = await benchOf(t, make);
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
    const rig = await benchOf(t, make);
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
    const rig = await benchOf(t, make);
    const id = idOf("kept");
    await written(rig.service, id, contentOf(rig));
    const foreign = await rig.add(meeting(rig));
    const changes = await rig.service.changes(await forgotten(rig), signal);
    assert.equal(changes.isComplete, true);
    assert.deepEqual([...byName(changes.entries).keys()].toSorted(), [id, foreign].toSorted());
    assert.deepEqual([...(await since(rig.service, changes.token)).entries], []);
  });
  void test("200 entries are listed, changed and removed, each once", async (t) => {
    const rig = await benchOf(t, make);
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
    assert.deepEqual(await rig.list(), []);
  });
}

function personCases(make: MakeServiceRig): void {
  void test("an entry that a person moved, renamed or deleted is listed so", async (t) => {
    const rig = await benchOf(t, make);
    const id = idOf("edited");
    const content = contentOf(rig);
    const location = await written(rig.service, id, content);
    const start = await everything(rig.service);
    const at = content.at + 5 * hourMs;
    await rig.change(location.remoteId, { at });
    const moved = await since(rig.service, start.token);
    assertContent(rig, moved.entries.get(id)?.content, { ...content, at });
    assert.notEqual(moved.entries.get(id)?.location.etag, location.etag);
    await rig.change(location.remoteId, { title: "다른 이름" });
    const renamed = await since(rig.service, moved.token);
    assertContent(rig, renamed.entries.get(id)?.content, { ...content, at, title: "다른 이름" });
    await rig.remove(location.remoteId);
    const { entries, isComplete } = await rig.service.changes(renamed.token, signal);
    if (!isComplete) assert.equal(byName(entries).get(id)?.content, null);
    assert.deepEqual((await everything(rig.service)).entries, []);
  });
}

function foreignCases(make: MakeServiceRig): void {
  void test("foreign entries are seen, and are not ours", async (t) => {
    const rig = await benchOf(t, make);
    const start = await everything(rig.service);
    const content = meeting(rig);
    const remoteId = await rig.add(content);
    const added = await since(rig.service, start.token);
    const entry = added.entries.get(remoteId);
    assert.deepEqual([entry?.id, entry?.content?.title], [null, content.title]);
    assert.deepEqual([entry?.content?.at, entry?.content?.minutes], [content.at, content.minutes]);
    await rig.change(remoteId, { at: content.at + hourMs });
    const moved = await since(rig.service, added.token);
    assert.equal(moved.entries.get(remoteId)?.content?.at, content.at + hourMs);
    await rig.remove(remoteId);
    const { entries, isComplete } = await rig.service.changes(moved.token, signal);
    if (!isComplete) assert.equal(byName(entries).get(remoteId)?.content, null);
    assert.deepEqual((await everything(rig.service)).entries, []);
  });
  void test("a foreign entry marks its time as busy, unless it is free or ours", async (t) => {
    const rig = await benchOf(t, make);
    if (rig.addFree === undefined) return t.skip("entries of this service mark no busy times");
    const content = meeting(rig);
    const { at, minutes } = content;
    const busy = await rig.add(content);
    const free = await rig.addFree({ ...content, title: "Maybe" });
    await written(rig.service, idOf("ours"), contentOf(rig, { at }));
    const entries = byName((await everything(rig.service)).entries);
    assert.deepEqual(entries.get(busy)?.busy, [{ from: at, to: at + minutes * 60_000 }]);
    assert.deepEqual(entries.get(free)?.busy ?? [], []);
    assert.deepEqual(entries.get(idOf("ours"))?.busy ?? [], []);
  });
  void test("foreign entries stay as they are, whatever is done to ours", async (t) => {
    const rig = await benchOf(t, make);
    for (const title of ["Meeting", "회의", "Party"]) await rig.add(meeting(rig, { title }));
    const before = await listed(rig);
    assert.equal(before.length, 3);
    const id = idOf("ours");
    const first = await written(rig.service, id, contentOf(rig));
    const second = await written(rig.service, id, contentOf(rig, { title: "Moved" }), first);
    await rig.service.remove({ id, known: second }, signal);
    assert.deepEqual(await listed(rig), before);
  });
}

async function forgotten(rig: Bench): Promise<string> {
  if (rig.forgottenToken !== undefined) return rig.forgottenToken;
  const { token } = await everything(rig.service);
  assert.ok(rig.forgetTokens, "the rig has no forgotten token");
  await rig.forgetTokens();
  return token;
}

function meeting(rig: Bench, given: Partial<EntryContent> = {}): EntryContent {
  const at = tomorrow(rig) + 2 * hourMs;
  const title = "Meeting with Mina";
  return { title, description: "", at, zone: "Asia/Seoul", minutes: 45, ...given };
}

/** What is there, in an order of its own. */
async function listed(rig: Bench): Promise<readonly RemoteEntry[]> {
  return (await rig.list()).toSorted((a, b) =>
    a.location.remoteId < b.location.remoteId ? -1 : 1,
  );
}
