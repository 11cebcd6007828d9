import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { postgresServer } from "../postgres/server.ts";
import { fileBooks, postgresBooks, sqliteBooks, type Books, type Content } from "./books.ts";

/** One test for each store that outlives its process. */
export async function onEachStore<Row>(
  sentence: string,
  content: Content<Row>,
  run: (t: TestContext, folder: string, books: Books<Row>) => Promise<void>,
  also: { readonly file?: boolean } = {},
): Promise<void> {
  const server = await postgresServer();
  after(() => ("missing" in server ? undefined : server.stop()));
  const skip = "missing" in server && server.missing;
  const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-"));
    await use(folder).finally(() => rmSync(folder, { recursive: true }));
  };
  void test(`SQLite: ${sentence}`, (t) =>
    inFolder((folder) => run(t, folder, sqliteBooks(folder, content))));
  if (also.file === true) {
    void test(`file: ${sentence}`, (t) =>
      inFolder((folder) => run(t, folder, fileBooks(folder, content))));
  }
  void test(`PostgreSQL: ${sentence}`, { skip }, (t) =>
    inFolder(async (folder) => {
      assert.ok(!("missing" in server));
      await run(t, folder, postgresBooks(server, content));
    }),
  );
}
