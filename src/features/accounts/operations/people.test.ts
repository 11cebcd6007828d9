import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import type { Context } from "../../../kernel/operation.ts";
import { hasCode } from "../../../platform/errors.ts";
import { systemOwner } from "../../nodes/node.ts";
import { makePerson, personScopes } from "../person.ts";
import { link, wrongCodeLimit } from "./link.ts";
import { findPerson, joinByCode, people, unlink } from "./people.ts";
const page = { limit: 50 };
const inChat = { channel: "telegram", sender: "7", name: "Mina" };
const admin = ({ mina }: BookFixture): Context => ({ ...mina, scopes: ["admin"] });
const isWrong = { code: "refused", message: /wrong, used or expired: request another/ };

async function codeFor(at: BookFixture, owner = "mina"): Promise<string> {
  return (await link.run({ owner }, admin(at))).code;
}

describe("an invite code", () => {
  test("links its first sender to the owner's book, with the scopes read and write", async () => {
    const at = bookFixture();
    assert.equal(await findPerson(at.mina, "telegram", "7"), undefined);
    const made = await link.run({ owner: "jun" }, admin(at));
    assert.equal(made.say, `/start ${made.code}`);
    assert.equal(made.expires_at, "2026-11-15T23:15:00Z");
    const caller = { owner: "jun", by: "telegram:7", scopes: ["read", "write"] };
    assert.deepEqual(await joinByCode(at.mina, made.code, inChat), caller);
    assert.deepEqual(await findPerson(at.mina, "telegram", "7"), caller);
    assert.equal(await findPerson(at.mina, "slack", "7"), undefined);
    assert.equal(await findPerson(at.mina, "telegram", "77"), undefined);
  });
  test("gives the person the principal that was chosen for it", async () => {
    const at = bookFixture();
    const { code } = await link.run({ principal: "mina-phone" }, admin(at));
    const { by, owner } = await joinByCode(at.mina, code, inChat);
    assert.deepEqual([owner, by], ["mina", "mina-phone"]);
  });
  test("works for one sender, and again for the same sender", async () => {
    const at = bookFixture();
    const code = await codeFor(at);
    const first = await joinByCode(at.mina, code, inChat);
    await assert.rejects(joinByCode(at.mina, code, { ...inChat, sender: "8" }), isWrong);
    assert.equal(await findPerson(at.mina, "telegram", "8"), undefined);
    assert.deepEqual(await joinByCode(at.mina, code, inChat), first);
  });
  test("that many senders use at once links one of them", async () => {
    const at = bookFixture();
    const code = await codeFor(at);
    const senders = Array.from({ length: 5 }, (_, index) => String(index));
    const joined = await Promise.allSettled(
      senders.map((sender) => joinByCode(at.mina, code, { ...inChat, sender })),
    );
    assert.equal(joined.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal((await people.run(page, admin(at))).people.length, 1);
  });
  test("expires after fifteen minutes", async () => {
    const at = bookFixture();
    const [one, other] = [await codeFor(at), await codeFor(at)];
    at.clock.advance(15 * 60_000 - 1);
    await joinByCode(at.mina, one, inChat);
    at.clock.advance(1);
    await assert.rejects(joinByCode(at.mina, other, { ...inChat, sender: "8" }), isWrong);
  });
  test("that does not exist is refused like a used one, and counted", async () => {
    const at = bookFixture();
    const code = await codeFor(at);
    const limit = wrongCodeLimit(at.clock.wall);
    for (const typed of ["", "x", "0".repeat(12), `${code}0`, "x".repeat(100_000)]) {
      await assert.rejects(joinByCode(at.mina, typed, inChat, limit), isWrong);
    }
    for (let count = 0; count < 5; count += 1) {
      await assert.rejects(joinByCode(at.mina, "0".repeat(12), inChat, limit), isWrong);
    }
    await assert.rejects(joinByCode(at.mina, "0".repeat(12), inChat, limit), { code: "busy" });
    await joinByCode(at.mina, code, inChat, limit); // a correct code is never limited
  });
  test("is created by administrators only, and never for the system's book", async () => {
    const at = bookFixture();
    for (const [operation, input] of [
      [link, {}],
      [people, {}],
      [unlink, { id: "x" }],
    ] as const) {
      await assert.rejects(callOperation(at.mina, operation, input, at.mina), { code: "refused" });
    }
    await assert.rejects(link.run({ owner: systemOwner }, admin(at)), /the system's own/);
  });
  test("counts towards a limit of ten per owner until it expires", async () => {
    const at = bookFixture();
    for (let count = 0; count < 10; count += 1) await codeFor(at);
    await assert.rejects(
      codeFor(at),
      (error) => hasCode(error, "held") && /is at its limit of 10 open codes/.test(error.message),
    );
    await codeFor(at, "jun");
    at.clock.advance(15 * 60_000);
    const code = await codeFor(at);
    assert.equal((await joinByCode(at.mina, code, inChat)).owner, "mina");
  });
});

describe("a person in a chat", () => {
  test("is neither listed nor found after an unlink", async () => {
    const at = bookFixture();
    await joinByCode(at.mina, await codeFor(at), inChat);
    const listed = await people.run(page, admin(at));
    const { id, sender, linked_at: since } = listed.people[0] ?? assert.fail("no person is listed");
    assert.deepEqual([sender, since], ["7", "2026-11-15T23:00:00Z"]);
    assert.equal(people.render(listed, at.reader()), `${id}  telegram:7  Mina  mina  now  08:00`);
    assert.deepEqual(await unlink.run({ id }, admin(at)), { id, unlinked: true });
    assert.equal(await findPerson(at.mina, "telegram", "7"), undefined);
    assert.deepEqual((await people.run(page, admin(at))).people, []);
    assert.deepEqual(await unlink.run({ id }, admin(at)), { id, unlinked: false });
  });
  test("needs a new code after an unlink, which may be for another book", async () => {
    const at = bookFixture();
    const old = await codeFor(at);
    await joinByCode(at.mina, old, inChat);
    const { people: listed } = await people.run(page, admin(at));
    await unlink.run({ id: listed[0]?.id ?? "" }, admin(at));
    await assert.rejects(joinByCode(at.mina, old, inChat), isWrong);
    const caller = await joinByCode(at.mina, await codeFor(at, "jun"), inChat);
    assert.equal(caller.owner, "jun");
    assert.deepEqual(await findPerson(at.mina, "telegram", "7"), caller);
  });
  test("moves to another book with a code for that book", async () => {
    const at = bookFixture();
    await joinByCode(at.mina, await codeFor(at), inChat);
    await joinByCode(at.mina, await codeFor(at, "jun"), { ...inChat, name: "Min" });
    const { people: listed } = await people.run(page, admin(at));
    assert.deepEqual(
      listed.map(({ owner, name }) => [owner, name]),
      [["jun", "Min"]],
    );
  });
  test("in the configuration needs no code, and a code does not change the owner", async () => {
    const at = bookFixture();
    await joinByCode(at.mina, await codeFor(at), inChat);
    const senders = (channel: string): readonly { id: string; owner: string }[] =>
      channel === "telegram" ? [{ id: "7", owner: "jun" }] : [];
    const caller = await findPerson({ ...at.mina, senders }, "telegram", "7");
    assert.deepEqual(caller, { owner: "jun", by: "telegram:7", scopes: ["read", "write"] });
    assert.equal(await findPerson({ ...at.mina, senders }, "slack", "7"), undefined);
  });
  test("over the limit of a hundred is refused, and the code stays valid", async () => {
    const at = bookFixture();
    const book = at.ledger.of(systemOwner, "x");
    const rights = { owner: "mina", principal: "x", scopes: personScopes };
    for (let count = 0; count < 100; count += 1) {
      await book.append(makePerson({ ...inChat, sender: `p${count}`, ...rights }));
    }
    const code = await codeFor(at);
    await assert.rejects(
      joinByCode(at.mina, code, inChat),
      /is at its limit of 100 people in chats/,
    );
    const { people: listed } = await people.run(page, admin(at));
    await unlink.run({ id: listed[0]?.id ?? "" }, admin(at));
    assert.equal((await joinByCode(at.mina, code, inChat)).owner, "mina");
  });
  test("is not unlinked by the id of another record", async () => {
    const at = bookFixture();
    const chore = { kind: "chore", body: { name: "x", everyMs: 1 }, state: "waiting" } as const;
    const { id } = await at.ledger.of(systemOwner, "x").append(chore);
    await assert.rejects(unlink.run({ id }, admin(at)), { code: "not_found" });
  });
});
