import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { folder } from "../../../test/child.ts";
import { open, type Daybook } from "./open.ts";

/** A workspace tells nobody in this process: it is asked after, as a program does. */
async function until(t: TestContext, book: Daybook, id: string, status: string): Promise<void> {
  for (;;) {
    t.signal.throwIfAborted();
    const seen = await book.showWorkspace({ id });
    if (seen.status === status) return;
    await new Promise((look) => setTimeout(look, 50));
  }
}

test(
  "a book in a program keeps workspaces where it is told to",
  { timeout: 120_000 },
  async (t) => {
    const home = folder(t);
    const book = await open({
      store: "memory:",
      machines: "local",
      home,
      workspaces: { perOwner: 1 },
    });
    t.after(() => book.close());
    await book.start();
    const { id } = await book.createWorkspace({ name: "box" });
    await until(t, book, id, "RUNNING");
    assert.ok(existsSync(join(home, "workspaces", id, "home")));
    await assert.rejects(book.createWorkspace({ name: "second" }), /may run/);
    await book.deleteWorkspace({ id });
    await until(t, book, id, "DELETED");
    assert.ok(!existsSync(join(home, "workspaces", id)));
  },
);

test("a book in a program that keeps none says what to set", async (t) => {
  const book = await open({ store: "memory:" });
  t.after(() => book.close());
  await assert.rejects(book.createWorkspace({ name: "box" }), { code: "unsupported" });
});
