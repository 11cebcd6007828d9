import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntryContent } from "../../features/calendars/content.ts";
import {
  assertContent,
  benchOf,
  byName,
  changedEntry,
  contentOf,
  everything,
  hourMs,
  idOf,
  type MakeServiceRig,
  seen,
  signal,
  titles,
  tomorrow,
  written,
} from "./service-rig.ts";

const id = idOf("write");

/** Puts and removals, and what they leave. */
export function writeCases(make: MakeServiceRig): void {
  createCases(make);
  staleCases(make);
  removeCases(make);
  contentCases(make);
}

function createCases(make: MakeServiceRig): void {
  void test("an entry is created once, however often it is written", async (t) => {
    const rig = await benchOf(t, make);
    const content = contentOf(rig);
    const first = await written(rig.service, id, content);
    assert.notEqual(first.etag, "");
    const again = changedEntry(await rig.service.put({ id, content, known: null }, signal));
    assert.equal(again.id, id);
    assert.deepEqual(again.location, first);
    assertContent(rig, again.content, content);
    const known = await written(rig.other, id, content, first);
    assert.equal(known.remoteId, first.remoteId);
    const { title, at, minutes } = content;
    assert.deepEqual(await seen(rig), [{ title, at, minutes }]);
  });
  void test("an update moves and renames the same entry", async (t) => {
    const rig = await benchOf(t, make);
    const first = await written(rig.service, id, contentOf(rig));
    const content = contentOf(rig, { title: "Call Mina", at: tomorrow(rig) + hourMs, minutes: 45 });
    const second = await written(rig.service, id, content, first);
    assert.equal(second.remoteId, first.remoteId);
    assert.notEqual(second.etag, first.etag);
    const { title, at, minutes } = content;
    assert.deepEqual(await seen(rig), [{ title, at, minutes }]);
    const [entry] = (await everything(rig.service)).entries;
    assert.deepEqual([entry?.id, entry?.location], [id, second]);
    assertContent(rig, entry?.content, content);
  });
  void test("of two nodes that create an entry at once, one does", async (t) => {
    const rig = await benchOf(t, make);
    const content = contentOf(rig);
    const puts = await Promise.allSettled(
      [rig.service, rig.other].map((each) => each.put({ id, content, known: null }, signal)),
    );
    const results = puts.map((put) => (put.status === "fulfilled" ? put.value.result : "failed"));
    assert.equal(results.filter((result) => result === "written").length, 1, results.join());
    assert.equal((await seen(rig)).length, 1);
  });
}

function staleCases(make: MakeServiceRig): void {
  void test("an entry that somebody changed is not overwritten with an old version", async (t) => {
    const rig = await benchOf(t, make);
    const known = await written(rig.service, id, contentOf(rig));
    const at = tomorrow(rig) + 3 * hourMs;
    await rig.change(known.remoteId, { title: "Theirs", at });
    const content = contentOf(rig, { title: "Ours" });
    const entry = changedEntry(await rig.service.put({ id, content, known }, signal));
    assert.equal(entry.id, id);
    assertContent(rig, entry.content, contentOf(rig, { title: "Theirs", at }));
    assert.deepEqual(await titles(rig), ["Theirs"]);
    await written(rig.service, id, content, entry.location);
    assert.deepEqual(await titles(rig), ["Ours"]);
  });
  void test("an entry that somebody deleted is reported, and can be written again", async (t) => {
    const rig = await benchOf(t, make);
    const content = contentOf(rig);
    const known = await written(rig.service, id, content);
    await rig.remove(known.remoteId);
    const entry = changedEntry(await rig.service.put({ id, content, known }, signal));
    assert.deepEqual([entry.id, entry.content], [id, null]);
    assert.deepEqual(await titles(rig), []);
    await written(rig.service, id, content);
    assert.deepEqual(await titles(rig), [content.title]);
  });
}

function removeCases(make: MakeServiceRig): void {
  void test("an entry is removed, and removing it again succeeds", async (t) => {
    const rig = await benchOf(t, make);
    const known = await written(rig.service, id, contentOf(rig));
    for (const service of [rig.service, rig.other, rig.service]) {
      assert.deepEqual(await service.remove({ id, known }, signal), { result: "removed" });
    }
    assert.deepEqual(await rig.service.remove({ id, known: null }, signal), { result: "removed" });
    assert.deepEqual(await seen(rig), []);
    await written(rig.service, id, contentOf(rig, { title: "Again" }));
    assert.deepEqual(await titles(rig), ["Again"]);
  });
  void test("an entry that somebody changed is not removed with an old version", async (t) => {
    const rig = await benchOf(t, make);
    const known = await written(rig.service, id, contentOf(rig));
    await rig.change(known.remoteId, { title: "Theirs" });
    const entry = changedEntry(await rig.service.remove({ id, known }, signal));
    assertContent(rig, entry.content, contentOf(rig, { title: "Theirs" }));
    assert.deepEqual(await titles(rig), ["Theirs"]);
    const { location } = entry;
    assert.deepEqual(await rig.service.remove({ id, known: location }, signal), {
      result: "removed",
    });
    assert.deepEqual(await titles(rig), []);
  });
  void test("an entry of unknown version is removed, whatever it is", async (t) => {
    const rig = await benchOf(t, make);
    const { remoteId } = await written(rig.service, id, contentOf(rig));
    await rig.change(remoteId, { title: "Theirs" });
    assert.deepEqual(await rig.service.remove({ id, known: null }, signal), { result: "removed" });
    assert.deepEqual(await titles(rig), []);
  });
}

/** Texts that formats like to break: escapes, wide characters, long lines. */
const texts: Readonly<Record<string, string>> = {
  korean: "약 먹기 — 식후 30분 (민아에게 전화)",
  emoji: "👩‍👩‍👧‍👦 family, 🇰🇷; café café",
  marks: 'a\\b; c, d: "e" <f> & g \\n h\n\n\tBEGIN:VEVENT\n i ',
  "right to left": "פגישה עם ‏مينا",
  "long line": "가나다라".repeat(400),
};

function contentCases(make: MakeServiceRig): void {
  void test("titles and descriptions in any script are read back as written", async (t) => {
    const rig = await benchOf(t, make);
    const kept = Object.entries(texts).filter(([, text]) => rig.garbles?.test(text) !== true);
    for (const [index, [name, text]] of kept.entries()) {
      const title = text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
      const content = contentOf(rig, { title, description: text.trim() });
      await written(rig.service, idOf(`${index}`), content);
      const { entries } = await everything(rig.other);
      assertContent(rig, byName(entries).get(idOf(`${index}`))?.content, content);
      assert.ok((await titles(rig)).includes(title), name);
    }
  });
  void test("a long description is read back whole", async (t) => {
    const rig = await benchOf(t, make);
    const length = rig.textCharsMax ?? 50_000;
    const words = "긴 글과 long words, 👍; ";
    const description = words.repeat(Math.floor(length / words.length)).trim();
    const content = contentOf(rig, { description });
    await written(rig.service, id, content);
    assertContent(rig, (await everything(rig.service)).entries[0]?.content, content);
  });
  const kinds: Readonly<Record<string, Partial<EntryContent>>> = {
    "of a whole day": { allDay: true, minutes: 1_440 },
    "that recurs": { recurrence: "FREQ=WEEKLY;BYDAY=MO,WE" },
    "that is done": { isDone: true },
    "without a description": { description: "" },
    "in UTC": { zone: "UTC" },
    "in a zone with summer time": { zone: "America/New_York" },
  };
  for (const [name, given] of Object.entries(kinds)) {
    void test(`an entry ${name} is read back as written`, async (t) => {
      const rig = await benchOf(t, make);
      const content = contentOf(rig, given);
      const known = await written(rig.service, id, content);
      const [entry] = (await everything(rig.service)).entries;
      assert.deepEqual(entry?.location, known);
      assertContent(rig, entry.content, content);
    });
  }
}
