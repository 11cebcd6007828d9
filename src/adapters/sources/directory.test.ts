import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Source } from "../../features/events/source.ts";
import { sourceSuite } from "../../testing/sources/conformance.ts";
import type { HandClock } from "../../testing/sources/rig.ts";
import { handClock, sourceDriver, type SourceDriver } from "../../testing/sources/source-driver.ts";
import { directory } from "./directory.ts";

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "daybook-directory-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a temporary file and renames it, as a program should; its time is the test's. */
async function drop(
  folder: string,
  file: string,
  text: string | Buffer,
  at: number,
): Promise<void> {
  const beside = join(folder, `.tmp-${file}`);
  await writeFile(beside, text);
  await utimes(beside, at / 1_000, at / 1_000);
  await rename(beside, join(folder, file));
}

sourceSuite("a folder", async (t, clock) => {
  const folder = await folderFor(t);
  const away = `${folder}-away`;
  let here = folder;
  t.after(() => rm(away, { recursive: true, force: true }));
  let count = 0;
  const put = async (): Promise<string> => {
    const id = `evt-mine-${count}-${clock.now}`;
    const file = `${String(count).padStart(4, "0")}.json`;
    const at = new Date(clock.now).toISOString();
    const event = { id, type: "build.done", payload: { count }, created_at: at };
    await drop(here, file, JSON.stringify(event), clock.now);
    return id;
  };
  return {
    make: () => directory({ clock, folder }),
    createEvent() {
      count += 1;
      return put();
    },
    changeAgain: put,
    unreadable: () => drop(folder, "bad.json", "{", clock.now),
    faults: {
      "is not a folder any more": async () => {
        if (here === away) return;
        await rename(folder, away);
        here = away;
        await writeFile(folder, "");
      },
    },
    async recover() {
      if (here === folder) return;
      await rm(folder);
      await rename(away, folder);
      here = folder;
    },
  };
});

interface Scenario {
  folder: string;
  clock: HandClock;
  driver: SourceDriver;
  source: Source;
}

async function scenario(t: TestContext): Promise<Scenario> {
  const clock = handClock();
  const folder = await folderFor(t);
  const driver = await sourceDriver("directory", clock);
  const source = directory({ clock, folder });
  await driver.pollAll(source);
  return { folder, clock, driver, source };
}

const plain = JSON.stringify({ type: "build.done" });

test("a file is moved away after its event is stored", async (t) => {
  const { folder, clock, driver, source } = await scenario(t);
  await drop(folder, "a.json", plain, clock.now);
  clock.now += 60_000;
  await driver.poll(source, "dies");
  assert.ok((await readdir(folder)).includes("a.json"));
  await driver.pollAll(source);
  assert.ok(!(await readdir(folder)).includes("a.json"));
  const [done = ""] = await readdir(join(folder, "done"));
  assert.equal(await readFile(join(folder, "done", done), "utf8"), plain);
  assert.equal((await driver.names()).length, 1);
});

test("a file that replaces a read one is read too", async (t) => {
  const { folder, clock, driver, source } = await scenario(t);
  await drop(folder, "a.json", plain, clock.now);
  clock.now += 60_000;
  await driver.poll(source);
  await drop(folder, "a.json", JSON.stringify({ type: "build.failed" }), clock.now);
  await driver.pollAll(source);
  assert.deepEqual(
    (await driver.events()).map(({ body }) => body.type),
    ["build.done", "build.failed"],
  );
});

test("the same file name later is a new event; the same id is not", async (t) => {
  const { folder, clock, driver, source } = await scenario(t);
  for (const text of [plain, plain, '{"id":"evt-1","type":"a.b"}', '{"id":"evt-1","type":"a.c"}']) {
    await drop(folder, "a.json", text, clock.now);
    await driver.pollAll(source);
    clock.now += 60_000;
  }
  assert.equal((await driver.names()).length, 3);
});

test("an invalid file is moved to failed/ with the reason, once it has settled", async (t) => {
  const { folder, clock, driver, source } = await scenario(t);
  const text = (length: number): object => ({ text: "x".repeat(length) });
  const wrong: [file: string, text: string | Buffer, reason: RegExp][] = [
    ["half.json", '{"type":', /^It is not JSON\.$/],
    ["bytes.json", Buffer.from([0x22, 0xff, 0x22]), /^It is not in UTF-8\.$/],
    ["list.json", "[]", /^it must be an object$/],
    ["none.json", "{}", /^"type" is missing$/],
    ["type.json", '{"type":"Not A Type"}', /^"Not A Type" is not the type of an event/],
    ["escape.json", '{"type":"a.b","id":"../../etc"}', /^"\.\.\/\.\.\/etc" is not the name/],
    ["when.json", '{"type":"a.b","created_at":"soon"}', /^"created_at" is not valid: write it/],
    ["large.json", JSON.stringify({ type: "a.b", payload: text(200_000) }), /^The payload is over/],
    [
      "huge.json",
      JSON.stringify({ type: "a.b", payload: text(400_000) }),
      /^It is larger than 262144 byt/,
    ],
  ];
  for (const [file, content] of wrong) await drop(folder, file, content, clock.now);
  clock.now += 2_000;
  await source.poll({ taken: [] }, { signal: new AbortController().signal });
  assert.equal(
    (await readdir(folder)).filter((name) => name.endsWith(".json")).length,
    wrong.length,
  );
  await driver.pollAll(source);
  const failed = await readdir(join(folder, "failed"));
  assert.equal(failed.length, wrong.length * 2);
  for (const [file, , reason] of wrong) {
    const isIts = (name: string): boolean => name.startsWith(`${file.slice(0, -5)}~`);
    const its = failed.find((name) => isIts(name) && name.endsWith(".reason.txt")) ?? file;
    assert.match((await readFile(join(folder, "failed", its), "utf8")).trim(), reason);
  }
  assert.match((await driver.record()).outcome?.reason ?? "", /^9 moved to failed/);
  assert.deepEqual(await driver.names(), []);
});

test("symlinks, folders, hidden and other files are ignored", async (t) => {
  const { folder, driver, source } = await scenario(t);
  await writeFile(join(folder, "real.txt"), plain);
  await symlink(join(folder, "real.txt"), join(folder, "link.json"));
  await mkdir(join(folder, "folder.json"));
  await writeFile(join(folder, ".tmp-x.json"), plain);
  await driver.pollAll(source);
  assert.deepEqual(await driver.names(), []);
  const left = await readdir(folder);
  for (const name of ["real.txt", "link.json", "folder.json", ".tmp-x.json"]) {
    assert.ok(left.includes(name), name);
  }
});

test("an event keeps its fields, and its id need not be a file name", async (t) => {
  const { folder, clock, driver, source } = await scenario(t);
  const said = {
    type: "build.done",
    repo: "a/b",
    priority: "high",
    hops: 3,
    payload: { ok: true },
  };
  await drop(folder, "빌드 끝.json", JSON.stringify(said), clock.now);
  await driver.pollAll(source);
  const [event] = await driver.events();
  assert.equal(event?.priority, "high");
  assert.deepEqual(event?.body.payload, { ok: true });
  assert.deepEqual(
    [event?.body.repo, event?.body.hops, event?.body.source],
    ["a/b", 3, "directory"],
  );
  assert.match(event?.body.name ?? "", /^evt-directory-[0-9a-f]{16}-[0-9a-f]{16}$/);
});
