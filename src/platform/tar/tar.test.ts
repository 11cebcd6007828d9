import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { pack } from "tar-stream";
import {
  all,
  assertSame,
  oddChunks,
  emptyTar,
  fileEntry,
  from,
  incompressible,
  otherEntry,
  tarWith,
} from "../../testing/archives/rig.ts";
import { keptIn } from "../../testing/machines/home-tar.ts";
import { assertThrows } from "../../testing/machines/rig.ts";
import type { Bytes } from "../byte-stream.ts";
import type { TarEntry } from "./entry.ts";
import { packFolder } from "./pack.ts";
import { readTar } from "./read.ts";
import { unpackInto } from "./unpack.ts";
import { vet } from "./vet.ts";

const { signal } = new AbortController();

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "daybook-tar-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** All that is to be seen of a folder, by GNU tar and find: other eyes than ours. */
function seenIn(folder: string): string {
  const script = `cd "$1" && find . -printf '%P|%y|%m|%U|%G|%T@|%l|%n\\n' | sort && find . -type f -print0 | sort -z | xargs -0 -r sha256sum`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script, "-", folder], {
    encoding: "latin1",
    env: { ...process.env, LC_ALL: "C" },
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

async function ordinaryHome(folder: string): Promise<void> {
  await mkdir(join(folder, "가방", "deep"), { recursive: true });
  await writeFile(join(folder, "가방", "약 먹을 시간.txt"), "가나다");
  await writeFile(join(folder, "n".repeat(255)), "long name");
  await writeFile(
    Buffer.concat([Buffer.from(`${folder}/latin-`), Buffer.from([0xe9, 0xff])]),
    "no UTF-8",
  );
  await writeFile(join(folder, "a\nline 'and' \"quotes\" \\"), "odd");
  await writeFile(join(folder, "run"), "#!/bin/sh\n", { mode: 0o755 });
  await link(join(folder, "run"), join(folder, "같은 것"));
  await symlink("run", join(folder, "inside"));
  await symlink("/etc/hostname", join(folder, "outside"));
  await symlink(`../${"far/".repeat(60)}`, join(folder, "가방", "nowhere"));
  await writeFile(join(folder, "empty"), "");
  await writeFile(join(folder, "blocks"), incompressible(512 * 3));
  let deep = folder;
  for (let depth = 0; depth < 14; depth += 1) deep = join(deep, `${depth}`.padEnd(250, "d"));
  await mkdir(deep, { recursive: true });
  await writeFile(join(deep, "leaf"), "deep");
  await mkdir(join(folder, "locked"));
  await writeFile(join(folder, "locked", "note"), "inside", { mode: 0o400 });
  await chmod(join(folder, "locked"), 0o500);
  for (const [name, seconds] of [
    ["empty", 5_000_000_000],
    ["run", 1],
    ["locked", 1_600_000_000],
    ["가방", 42],
  ] as const) {
    await utimes(join(folder, name), seconds, seconds);
  }
  // Only whole seconds travel.
  spawnSync("find", [folder, "-exec", "touch", "-hmd", "@1700000000", "{}", "+"]);
  await utimes(join(folder, "empty"), 5_000_000_000, 5_000_000_000);
  await utimes(folder, 1_234_567_890, 1_234_567_890);
}

test("an ordinary home is restored completely, and packs to the same tar", async (t) => {
  const [home, copy, third] = [await folderFor(t), await folderFor(t), await folderFor(t)];
  await ordinaryHome(home);
  if (process.getuid?.() === 0) spawnSync("chown", ["-hR", "123456:3000000", join(home, "가방")]);
  const tar = await all(packFolder(home));
  await unpackInto(copy, vet(oddChunks(tar)), { signal });
  assert.equal(seenIn(copy), seenIn(home));
  assertSame(await all(packFolder(copy)), tar);
  // And other programs read it alike.
  const file = join(await folderFor(t), "home.tar");
  await writeFile(file, tar);
  assert.equal(spawnSync("tar", ["-xpf", file, "-C", third]).status, 0);
  assert.equal(seenIn(third), seenIn(home));
});

test("a tar of GNU tar, in each of its formats, is restored completely", async (t) => {
  const home = await folderFor(t);
  await ordinaryHome(home);
  for (const form of ["gnu", "pax"]) {
    const made = spawnSync("tar", [`--format=${form}`, "-cf", "-", "-C", home, "."], {
      maxBuffer: 50_000_000,
    });
    assert.equal(made.status, 0, made.stderr.toString());
    const copy = await folderFor(t);
    await unpackInto(copy, vet(oddChunks(made.stdout)), { signal });
    assert.equal(seenIn(copy), seenIn(home), form);
  }
});

test("any names and bytes survive a tar, and vetting is idempotent", async () => {
  const name = fc
    .string({ unit: "binary", minLength: 1, maxLength: 120 })
    .map((text) => Buffer.from(text).toString("latin1").replaceAll(/[/\0]/g, "_"))
    .filter((text) => text !== "." && text !== "..");
  const facts = fc.record({
    uid: fc.nat({ max: 4_294_967_294 }),
    gid: fc.nat({ max: 4_294_967_294 }),
    mode: fc.nat({ max: 0o1777 }),
    mtimeSeconds: fc.integer({ min: -100_000_000_000, max: 100_000_000_000 }),
    content: fc.uint8Array({ maxLength: 1_500 }),
    folders: fc.array(name, { maxLength: 4 }),
    name,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(facts, { maxLength: 6, selector: (each) => each.name }),
      async (drawn) => {
        const make = () =>
          drawn.map(({ content, folders, name: last, ...rest }, index) => ({
            ...fileEntry([`${index}`, ...folders, last].join("/"), content),
            ...rest,
          }));
        const tar = await all(tarWith(...make()));
        assertSame(await all(vet(oddChunks(tar))), tar);
        const expected = make();
        let index = 0;
        for await (const entry of readTar(from(tar))) {
          const { body, ...rest } = entry;
          const { body: content, ...wanted } = expected[index] ?? fileEntry("none", "");
          assert.deepEqual(rest, wanted);
          assertSame(await all(body), await all(content));
          index += 1;
        }
        assert.equal(index, drawn.length);
      },
    ),
    { numRuns: 60 },
  );
});

test("an empty home is a tar of its root alone, and an empty tar is one", async (t) => {
  const home = await folderFor(t);
  assert.deepEqual(await keptIn(packFolder(home)), []);
  assertSame(await all(vet(from(emptyTar))), emptyTar);
  await unpackInto(home, vet(from(emptyTar)), { signal });
  assert.deepEqual(await readdir(home), []);
});

test("sockets and pipes are left out when a home is packed", async (t) => {
  const home = await folderFor(t);
  await writeFile(join(home, "note"), "well");
  spawnSync("bash", ["-c", 'mkfifo "$1"', "-", join(home, "pipe")]);
  const server = createServer().listen(join(home, "socket"));
  t.after(() => server.close());
  assert.deepEqual(
    (await keptIn(packFolder(home))).map(({ name }) => name),
    ["note"],
  );
});

test("a file that changes while it is packed is an error", async (t) => {
  const changes: Record<string, (path: string) => Promise<void>> = {
    shorter: (path) => truncate(path, 100),
    longer: (path) => writeFile(path, "more", { flag: "a" }),
    other: async (path) => {
      const file = await open(path, "r+");
      await file.write("other", 0);
      await file.close();
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    const home = await folderFor(t);
    const path = join(home, "log");
    await writeFile(path, incompressible(3_000_000));
    await utimes(path, 1, 1);
    const packing = (async () => {
      let pieces = 0;
      for await (const _ of packFolder(home)) if ((pieces += 1) === 4) await change(path);
    })();
    const error = await assertThrows(packing, "busy");
    assert.match(error.message, /"log" changed/, what);
  }
});

test("a gigabyte streams with a few pieces in memory", async (t) => {
  const home = await folderFor(t);
  await writeFile(join(home, "sparse"), "");
  await truncate(join(home, "sparse"), 1024 ** 3);
  let made = 0;
  let taken = 0;
  let inFlightMax = 0;
  const source = async function* () {
    for await (const piece of packFolder(home)) {
      made += piece.length;
      inFlightMax = Math.max(inFlightMax, made - taken);
      yield piece;
    }
  };
  for await (const piece of vet(source())) taken += piece.length;
  assert.ok(taken > 1024 ** 3);
  assert.ok(inFlightMax <= 1024 * 1024, `${inFlightMax} bytes were in flight`);
});

const evil: Record<string, () => readonly TarEntry[]> = {
  "an absolute path": () => [fileEntry("/etc/evil", "x")],
  "a path that leads out": () => [fileEntry("../evil", "x")],
  "a path that leads out in the middle": () => [fileEntry("a/../../evil", "x")],
  "no name": () => [fileEntry("", "x")],
  "a file through a symlink": () => [otherEntry("a", "symlink", "/tmp"), fileEntry("a/evil", "x")],
  "a file deep through a symlink": () => [
    otherEntry("a", "symlink", ".."),
    fileEntry("./a//b/c/evil", "x"),
  ],
  "a file over a symlink": () => [otherEntry("a", "symlink", "/tmp/evil"), fileEntry("a", "x")],
  "a folder over a symlink": () => [otherEntry("a", "symlink", "/tmp"), otherEntry("a", "folder")],
  "a symlink over a folder": () => [otherEntry("a", "folder"), otherEntry("a", "symlink", "/tmp")],
  "a file in a file": () => [fileEntry("a", ""), fileEntry("a/b", "x")],
  "a file twice": () => [fileEntry("a", "1"), fileEntry("./a", "2")],
  "a hard link to outside": () => [otherEntry("a", "link", "/etc/passwd")],
  "a hard link upwards": () => [otherEntry("a", "link", "../../etc/passwd")],
  "a hard link to what comes later": () => [otherEntry("a", "link", "b"), fileEntry("b", "x")],
  "a hard link to a folder": () => [otherEntry("a", "folder"), otherEntry("b", "link", "a")],
  "a hard link through a symlink": () => [
    otherEntry("a", "symlink", "/etc"),
    otherEntry("b", "link", "a/passwd"),
  ],
  "a file through the second name of a symlink": () => [
    otherEntry("a", "symlink", "/tmp"),
    otherEntry("b", "link", "a"),
    fileEntry("b/evil", "x"),
  ],
  "a symlink to nothing": () => [otherEntry("a", "symlink", "")],
  "a path longer than any": () => [fileEntry("x/".repeat(3_000), "")],
};

for (const [what, entries] of Object.entries(evil)) {
  test(`refused: ${what}`, async (t) => {
    const tar = await all(tarWith(...entries()));
    const error = await assertThrows(all(vet(from(tar))), "refused");
    assert.equal(error.details["code"], "TAR_EXTRACT_FAILED");
    assert.equal(error.details["fault"], "ActionFailed");
    // And whoever forgets to vet writes nothing outside.
    const outer = await folderFor(t);
    await mkdir(join(outer, "a", "home"), { recursive: true });
    await unpackInto(join(outer, "a", "home"), from(tar), { signal }).catch(() => undefined);
    assert.deepEqual(await readdir(outer), ["a"]);
    assert.deepEqual(await readdir(join(outer, "a")), ["home"]);
    for (const path of ["/etc/evil", "/tmp/evil", "/tmp/b/c/evil"])
      await assert.rejects(lstat(path));
  });
}

test("links to anywhere are kept and never followed", async (t) => {
  const home = await folderFor(t);
  const links = { up: "../..", root: "/", loop: "loop", gone: "no/such", dot: "." };
  const entries = Object.entries(links).map(([name, target]) =>
    otherEntry(name, "symlink", target),
  );
  const twice = otherEntry("also", "link", "up");
  await unpackInto(home, vet(tarWith(...entries, twice)), { signal });
  for (const [name, target] of Object.entries({ ...links, also: "../.." })) {
    assert.equal(await readlink(join(home, name)), target);
  }
});

test("devices and pipes are refused, or left out when an archive is made", async () => {
  for (const type of ["fifo", "character-device", "block-device"] as const) {
    const make = (): Bytes => {
      const tar = pack();
      tar.entry({ name: "special", type, devmajor: 1, devminor: 3 });
      tar.entry({ name: "second", type: "link", linkname: "special" });
      tar.entry({ name: "note" }, "well");
      tar.finalize();
      return tar as unknown as Bytes; // its types know no bytes
    };
    await assertThrows(all(vet(make())), "refused");
    const left = await keptIn(vet(make(), { special: "skip" }));
    assert.deepEqual(
      left.map(({ name }) => name),
      ["note"],
    );
  }
});

test("set-user and set-group bits are dropped", async (t) => {
  const home = await folderFor(t);
  const tar = await all(tarWith({ ...fileEntry("su", "x"), mode: 0o6755 }));
  const [kept] = await keptIn(vet(from(tar)));
  assert.equal(kept?.mode, 0o755);
  await unpackInto(home, from(tar), { signal });
  assert.equal((await lstat(join(home, "su"))).mode & 0o7777, 0o755);
});

test("bombs are refused: too many entries, too many bytes, too high a ratio", async () => {
  const entries = () =>
    Array.from({ length: 20 }, (_, index) => fileEntry(`${index}`, "x".repeat(2_000)));
  const tar = await all(tarWith(...entries()));
  await all(vet(from(tar), { limits: { entriesMax: 20, bytesMax: tar.length } }));
  await assertThrows(all(vet(from(tar), { limits: { entriesMax: 19 } })), "refused");
  await assertThrows(all(vet(oddChunks(tar), { limits: { bytesMax: tar.length - 1 } })), "refused");
  const limits = { ratioMax: 10, ratioFromBytes: 20_000 };
  const compressedBytes = () => tar.length / 20;
  await assertThrows(all(vet(oddChunks(tar), { limits, compressedBytes })), "refused");
  await all(vet(oddChunks(tar), { limits: { ...limits, ratioMax: 21 }, compressedBytes }));
  await all(vet(oddChunks(tar), { limits: { ...limits, ratioFromBytes: 1e9 }, compressedBytes }));
});

test("a damaged or truncated tar is refused", async () => {
  const tar = await all(tarWith(fileEntry("a", "x".repeat(700)), fileEntry("n".repeat(300), "y")));
  for (let end = 0; end < tar.length - 1_024; end += 64) {
    await assertThrows(all(vet(from(tar.subarray(0, end)))), "refused");
  }
  const last = tar.length - 1_024;
  await assertThrows(all(vet(from(tar.subarray(0, last)))), "refused");
  const followed = Buffer.concat([tar, Buffer.from("more")]);
  await assertThrows(all(vet(from(followed))), "refused");
  await all(vet(from(Buffer.concat([tar, Buffer.alloc(9_000)]))));
  for (const at of [0, 100, 124, 148, 156, 257]) {
    const bent = Buffer.from(tar);
    bent.writeUInt8(bent.readUInt8(at) ^ 0x41, at);
    await assertThrows(all(vet(from(bent))), "refused");
  }
});

test("pax headers with false sizes, or for all entries, are refused", async () => {
  const lies = [
    { size: "-1" },
    { size: "1e99" },
    { size: "x" },
    { uid: "-5" },
    { "GNU.sparse.major": "1" },
  ];
  for (const pax of lies) {
    const tar = pack();
    tar.entry({ name: "a", pax }, "x");
    tar.finalize();
    await assertThrows(all(vet(tar as unknown as Bytes)), "refused");
  }
});

test("a full disk is an error that says what to do", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "daybook-full-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
  if (mounted.status === 0) t.after(() => spawnSync("umount", [folder]));
  t.after(() => rm(folder, { recursive: true, force: true }));
  if (mounted.status !== 0) return t.skip("only root can mount a small disk here");
  const tar = tarWith(fileEntry("incompressible", incompressible(3_000_000)));
  const error = await assertThrows(unpackInto(folder, vet(tar), { signal }), "refused");
  assert.equal(error.details["code"], "DISK_FULL");
});

test("an abort stops unpacking, whatever the source does", async (t) => {
  const home = await folderFor(t);
  const stopping = new AbortController();
  const tar = await all(tarWith(fileEntry("a", incompressible(100_000))));
  const source = async function* () {
    yield tar.subarray(0, 50_000);
    stopping.abort("stopping");
    await new Promise(() => undefined);
  };
  await assertThrows(unpackInto(home, source(), { signal: stopping.signal }), "closed");
  assert.notEqual((await readFile(join(home, "a"))).length, 100_000);
});
