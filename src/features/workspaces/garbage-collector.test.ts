import assert from "node:assert/strict";
import { test } from "node:test";
import { folder } from "../../../test/child.ts";
import { directory } from "../../adapters/archives/directory.ts";
import { systemClock } from "../../platform/clock.ts";
import { foreignArchives } from "./garbage-collector.ts";

const { signal } = new AbortController();

test("the archives belong to the first book that reads them, however often it does", async (t) => {
  const archives = directory({ folder: folder(t), clock: systemClock() });
  await archives.check(signal);
  const isForeign = foreignArchives(archives);
  assert.equal(await isForeign("first", { signal, isDry: true }), false);
  assert.equal(await isForeign("first", { signal }), false);
  assert.equal(await isForeign("first", { signal }), false);
});

test("another book removes nothing there until a person confirms it", async (t) => {
  const archives = directory({ folder: folder(t), clock: systemClock() });
  await archives.check(signal);
  const isForeign = foreignArchives(archives);
  await isForeign("first", { signal });
  assert.equal(await isForeign("second", { signal }), true);
  assert.equal(await isForeign(null, { signal }), true);
  assert.equal(await isForeign("second", { signal, isConfirmed: true }), false);
  assert.equal(await isForeign("second", { signal }), false);
  assert.equal(await isForeign("first", { signal }), true);
});
