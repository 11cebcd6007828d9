import assert from "node:assert/strict";
import { isEntryOf, type RemoteEntry } from "../../features/calendars/index.ts";
import { changeOf, notificationKind } from "../../features/notifications/index.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { owner } from "./calendar-node.ts";
import {
  addForeign,
  dayMinutes,
  differences,
  foreignEntries,
  isIdleNow,
  type Shown,
} from "./shown-calendar.ts";

export async function isIdle(at: Shown): Promise<void> {
  await addForeign(at);
  for (const minutes of [60, 120, 180]) await at.add(`In ${minutes}`, minutes);
  await at.node.converge();
  assert.deepEqual(await differences(at), []);
  await isIdleNow(at);
}

/** The entry of ours with this title. */
async function titled({ remote }: Shown, title: string): Promise<RemoteEntry> {
  const found = (await remote.list()).find(({ content }) => content?.title === title);
  assert.ok(found, `there is no entry ${title}`);
  return found;
}

export async function isRestored(at: Shown): Promise<void> {
  const { node, remote } = at;
  for (const name of ["kept", "moved", "removed"]) await at.add(name, 600);
  await node.converge();
  await remote.change((await titled(at, "moved")).location.remoteId, { title: "elsewhere" });
  await remote.remove((await titled(at, "removed")).location.remoteId);
  await node.converge();
  assert.deepEqual(await differences(at), []);
}

export async function flowsBack(at: Shown): Promise<void> {
  const { node, remote } = at;
  const [moved, renamed, removed] = [
    await at.add("moved", 600),
    await at.add("renamed\nits second line", 700),
    await at.add("removed", 800),
  ];
  await node.converge();
  const later = node.now() + 3 * dayMinutes * 60_000;
  await remote.change((await titled(at, "moved")).location.remoteId, { at: later });
  const before = (await remote.list()).find(({ content }) => content?.title.startsWith("renamed"));
  await remote.change(before?.location.remoteId ?? "", { title: "reworded" });
  await remote.remove((await titled(at, "removed")).location.remoteId);
  await node.converge();
  assert.equal((await at.get(moved)).body.at, later);
  assert.match((await at.get(renamed)).body.message, /^reworded/);
  assert.equal((await at.get(removed)).state, "cancelled");
  assert.deepEqual(await differences(at), []);
}

export async function keepsBook(at: Shown): Promise<void> {
  const { node, remote } = at;
  const id = await at.add("both", 600);
  await node.converge();
  await remote.change((await titled(at, "both")).location.remoteId, { title: "theirs" });
  const whose = { owner, profile: { zone: "Asia/Seoul" } };
  await node.book.edit(changeOf(await at.get(id), { message: "ours" }, whose));
  await node.converge();
  assert.equal((await at.get(id)).body.message, "ours");
  assert.deepEqual(await differences(at), []);
  assert.equal((await notices(at)).filter((text) => /“theirs”/.test(text)).length, 1);
}

async function notices({ node }: Shown): Promise<readonly string[]> {
  const all = await Array.fromAsync(recordsIn(node.book, { kind: notificationKind }));
  return all.filter(({ body }) => body.type === "notice").map(({ body }) => body.message);
}

export async function survivesVanishing(at: Shown): Promise<void> {
  const { node, remote } = at;
  const made: string[] = [];
  for (let count = 1; count <= 8; count += 1)
    made.push(await at.add(`number ${count}`, 600 + count));
  await node.converge();
  const calendar = await node.calendar();
  for (const { id, location } of await remote.list()) {
    if (isEntryOf(calendar.id, id)) await remote.remove(location.remoteId);
  }
  await node.converge();
  await node.converge();
  for (const id of made) assert.equal((await at.get(id)).state, "pending");
  const { outcome } = await node.calendar();
  assert.deepEqual(outcome?.brake, { removals: 8, entries: 8 });
  assert.equal((await notices(at)).filter((text) => /8 of 8/.test(text)).length, 1);
}

export async function leaves(at: Shown): Promise<void> {
  const { node, remote } = at;
  const foreign = await addForeign(at);
  for (let count = 1; count <= 60; count += 1) await at.add(`number ${count}`, 600 + count);
  await node.converge();
  await node.edit({ leaving: "remove" });
  while ((await node.calendar()).endedAt === null) await node.attempt();
  const calendar = await node.calendar();
  assert.equal((await remote.list()).filter(({ id }) => isEntryOf(calendar.id, id)).length, 0);
  assert.deepEqual(await foreignEntries(at), foreign);
}
