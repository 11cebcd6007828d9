import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import type { CalendarService } from "../../features/calendars/service.ts";
import type { ErrorCode } from "../../platform/errors.ts";
import {
  type Bench,
  benchOf,
  contentOf,
  everything,
  fails,
  hourMs,
  idOf,
  type MakeServiceRig,
  signal,
  titles,
  tomorrow,
  written,
} from "./service-rig.ts";

const id = idOf("fault");

/** Lost answers, and services that do not work. */
export function faultCases(make: MakeServiceRig): void {
  lostCases(make);
  brokenCases(make);
}

function lostCases(make: MakeServiceRig): void {
  void test("a creation whose answer is lost is repeated, and makes one entry", async (t) => {
    const rig = await benchOf(t, make);
    if (rig.loseAnswer === undefined) return t.skip("the rig loses no answers");
    const content = contentOf(rig);
    rig.loseAnswer();
    await rig.service.put({ id, content, known: null }, signal).catch(() => undefined);
    const again = await rig.service.put({ id, content, known: null }, signal);
    const location = again.result === "written" ? again.location : again.entry.location;
    assert.equal((await rig.list()).length, 1);
    await written(rig.service, id, contentOf(rig, { title: "Next" }), location);
    assert.deepEqual(await titles(rig), ["Next"]);
  });
  void test("an update whose answer is lost can be repeated", async (t) => {
    const rig = await benchOf(t, make);
    if (rig.loseAnswer === undefined) return t.skip("the rig loses no answers");
    const known = await written(rig.service, id, contentOf(rig));
    const content = contentOf(rig, { title: "Moved", at: tomorrow(rig) + hourMs });
    rig.loseAnswer();
    await rig.service.put({ id, content, known }, signal).catch(() => undefined);
    const again = await rig.service.put({ id, content, known }, signal);
    const location = again.result === "written" ? again.location : again.entry.location;
    await written(rig.service, id, content, location);
    assert.deepEqual(await titles(rig), ["Moved"]);
  });
  void test("a removal whose answer is lost can be repeated", async (t) => {
    const rig = await benchOf(t, make);
    if (rig.loseAnswer === undefined) return t.skip("the rig loses no answers");
    const known = await written(rig.service, id, contentOf(rig));
    rig.loseAnswer();
    await rig.service.remove({ id, known }, signal).catch(() => undefined);
    assert.deepEqual(await rig.service.remove({ id, known }, signal), { result: "removed" });
    assert.deepEqual(await titles(rig), []);
  });
}

function brokenCases(make: MakeServiceRig): void {
  void test("an aborted call fails, writes nothing and leaves no listener", async (t) => {
    const rig = await benchOf(t, make);
    const known = await written(rig.service, id, contentOf(rig));
    const aborted = AbortSignal.abort("stopping");
    await assert.rejects(rig.service.changes(null, aborted));
    const content = contentOf(rig, { title: "Aborted" });
    await assert.rejects(rig.service.put({ id, content, known }, aborted));
    await assert.rejects(rig.service.remove({ id, known }, aborted));
    assert.deepEqual(await titles(rig), [contentOf(rig).title]);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
  void test("a rejected login is an error that says what to do", async (t) => {
    const rig = await benchOf(t, make);
    if (rig.rejected === undefined) return t.skip("the rig has no logins");
    await failsAlways(rig, rig.rejected(), "refused");
  });
  void test("a server that cannot be reached is an error, and never an empty calendar", async (t) => {
    const rig = await benchOf(t, make);
    if (rig.unreachable === undefined) return t.skip("the rig has no server");
    await failsAlways(rig, rig.unreachable(), "unavailable");
  });
  void test("a calendar that was deleted is an error, and never an empty one", async (t) => {
    const rig = await benchOf(t, make);
    if (rig.destroy === undefined) return t.skip("the rig cannot delete a calendar");
    const { token } = await everything(rig.service);
    const content = contentOf(rig);
    await written(rig.service, id, content);
    await rig.destroy();
    await fails(rig.service.changes(null, signal), "not_found");
    await fails(rig.service.changes(token, signal), "not_found");
    await fails(rig.service.put({ id: idOf("new"), content, known: null }, signal), "not_found");
  });
}

async function failsAlways(rig: Bench, service: CalendarService, code: ErrorCode): Promise<void> {
  const known = await written(rig.service, id, contentOf(rig));
  const { token } = await everything(rig.service);
  const calls = [
    () => service.changes(null, signal),
    () => service.changes(token, signal),
    () => service.put({ id: idOf("new"), content: contentOf(rig), known: null }, signal),
    () => service.put({ id, content: contentOf(rig, { title: "Changed" }), known }, signal),
    () => service.remove({ id, known }, signal),
  ];
  for (const call of calls) {
    const error = await fails(call(), code);
    assert.notEqual(error.details["entry"], true, error.message);
    assert.match(error.message, /\.$/);
  }
  assert.deepEqual(await titles(rig), [contentOf(rig).title]);
}
