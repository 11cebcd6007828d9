import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { sealOf } from "../../features/workspaces/archive-format.ts";
import {
  openUnit,
  removeUnit,
  storeUnit,
  verifyUnit,
} from "../../features/workspaces/archive-unit.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import { listUnits } from "../../features/workspaces/garbage.ts";
import { assertThrows } from "../machines/rig.ts";
import {
  all,
  assertSame,
  emptyTar,
  fileEntry,
  from,
  keysOf,
  incompressible,
  otherEntry,
  tarWith,
  type MakeArchives,
} from "./rig.ts";

const key = "archives/w-1/op-1/home.tar.zst";
const meta = `${key}.meta`;
const { signal } = new AbortController();

const home = () => [
  otherEntry("", "folder"),
  fileEntry("note", "well"),
  fileEntry("noise", incompressible(400_000)),
  otherEntry("out", "symlink", "/etc/hostname"),
  otherEntry("same", "link", "note"),
];

/** Archives with their metas, over any archive adapter. */
export function unitCases(make: MakeArchives): void {
  void test("an archive is read back, and its meta has size and checksum", async (t) => {
    const { archives, other } = await make(t);
    const seal = await storeUnit(archives, key, tarWith(...home()), signal);
    assert.deepEqual(await keysOf(archives, ""), [key, meta]);
    const object = await all(await other.get(key, signal));
    assert.deepEqual(await sealOf(from(object)), seal);
    const text = (await all(await other.get(meta, signal))).toString();
    assert.equal(text, `sha256:${seal.sha256}\nsize:${seal.size}\n`);
    assert.deepEqual(await verifyUnit(other, key, signal), seal);
    const tar = await all(await openUnit(other, key, signal));
    assertSame(tar, await all(tarWith(...home())));
    assertSame(zstdDecompressSync(object), tar);
  });
  void test("A10-10: an empty tar is a valid archive", async (t) => {
    const { archives } = await make(t);
    await storeUnit(archives, key, from(emptyTar), signal);
    await verifyUnit(archives, key, signal);
    assertSame(await all(await openUnit(archives, key, signal)), emptyTar);
  });
  void test("zero bytes are not an archive", async (t) => {
    const { archives } = await make(t);
    await assertThrows(storeUnit(archives, key, from(), signal), "refused");
    assert.deepEqual(await keysOf(archives, ""), []);
  });
  void test("pipes and devices are left out, so that the archive can be restored", async (t) => {
    const { archives } = await make(t);
    const fifo = tarOfFifo();
    await storeUnit(archives, key, fifo, signal);
    const tar = await all(await openUnit(archives, key, signal));
    assertSame(tar, await all(tarWith(fileEntry("note", "well"))));
  });
  void test("a truncated tar leaves no archive, and its own error is thrown", async (t) => {
    const { archives } = await make(t);
    const broken = new Error("the disk is gone");
    const source = async function* () {
      yield (await all(tarWith(...home()))).subarray(0, 100_000);
      throw broken;
    };
    await assert.rejects(storeUnit(archives, key, source(), signal), (error: Error) =>
      [error, error.cause].includes(broken),
    );
    const cut = (await all(tarWith(...home()))).subarray(0, 100_352);
    await assertThrows(storeUnit(archives, key, from(cut), signal), "refused");
    assert.deepEqual(await keysOf(archives, ""), []);
    await assertLost(archives, "META_NOT_FOUND");
  });
  damageCases(make);
  formCases(make);
  listingCases(make);
}

function damageCases(make: MakeArchives): void {
  void test("an archive without its meta or its bytes does not exist", async (t) => {
    const { archives } = await make(t);
    await storeUnit(archives, key, tarWith(...home()), signal);
    const text = await all(await archives.get(meta, signal));
    await archives.remove([meta], signal);
    await assertLost(archives, "META_NOT_FOUND");
    await archives.put(meta, from(text), signal);
    await verifyUnit(archives, key, signal);
    await archives.remove([key], signal);
    await assertLost(archives, "ARCHIVE_NOT_FOUND");
    for (const nonsense of ["", "\n", "sha256:12\n", `md5:${"0".repeat(64)}`]) {
      await archives.put(meta, from(nonsense), signal);
      await assertLost(archives, "META_NOT_FOUND");
    }
  });
  void test("a damaged archive is never read to its end", async (t) => {
    const { archives } = await make(t);
    await storeUnit(archives, key, tarWith(...home()), signal);
    const whole = await all(await archives.get(key, signal));
    const flipped = (at: number) => {
      const copy = Buffer.from(whole);
      copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
      return copy;
    };
    const damaged = {
      "its first byte": flipped(0),
      "its middle": flipped(200_000),
      "its last byte": flipped(whole.length - 1),
      "cut off": whole.subarray(0, -7),
      "truncated to zero bytes": whole.subarray(0, 0),
      "extra bytes at its end": Buffer.concat([whole, Buffer.from("more")]),
      "another archive": zstdCompressSync(emptyTar),
      "two archives": Buffer.concat([whole, whole]),
    };
    for (const [what, bytes] of Object.entries(damaged)) {
      await archives.put(key, from(bytes), signal);
      await assertLost(archives, "CHECKSUM_MISMATCH", what);
    }
  });
  void test("an intact archive that is not a tar is refused, not reported as lost", async (t) => {
    const { archives } = await make(t);
    for (const bytes of [zstdCompressSync("no tar".repeat(999)), Buffer.from("no zstd")]) {
      await plant(archives, key, bytes);
      await verifyUnit(archives, key, signal);
      const error = await assertThrows(openUnit(archives, key, signal).then(all), "refused");
      assert.equal(error.details["fault"], "ActionFailed");
    }
  });
}

function formCases(make: MakeArchives): void {
  void test("A10-10: a meta is read by line, with more, fewer or CRLF lines", async (t) => {
    const { archives } = await make(t);
    const { size, sha256 } = await storeUnit(archives, key, tarWith(...home()), signal);
    const right = [
      `sha256:${sha256}\nsize:${size}\nmade-by:something later\n`,
      `sha256:${sha256}`,
      `sha256:${sha256}\r\nsize:${size}\r\n`,
      `sha256:${sha256}\nsomething: else\nsize:${size}`,
    ];
    for (const text of right) {
      await archives.put(meta, from(text), signal);
      await verifyUnit(archives, key, signal);
      await all(await openUnit(archives, key, signal));
    }
    await archives.put(meta, from(`sha256:${sha256}\nsize:${size + 1}\n`), signal);
    await assertLost(archives, "CHECKSUM_MISMATCH");
  });
  void test("a gzip archive is read too", async (t) => {
    const { archives } = await make(t);
    const gz = key.replace(".zst", ".gz");
    const tar = await all(tarWith(...home()));
    await plant(archives, gz, gzipSync(tar));
    assertSame(await all(await openUnit(archives, gz, signal)), tar);
  });
}

function listingCases(make: MakeArchives): void {
  void test("a list joins archives and metas, and skips foreign keys", async (t) => {
    const { archives } = await make(t);
    const { size } = await storeUnit(archives, key, from(emptyTar), signal);
    const strays = ["archives/w-1/op-1/other", "archives/w-1/home.tar.zst", "x/w/op/home.tar.zst"];
    const half = "archives/w-2/op-9/home.tar.zst";
    for (const stray of [...strays, half]) await archives.put(stray, from("stray"), signal);
    const metaSize = (await archives.head(meta, signal))?.size ?? 0;
    const units = await listUnits(archives, "archives/", signal);
    assert.deepEqual(
      units.toSorted((a, b) => (a.opId < b.opId ? -1 : 1)),
      [
        { workspaceId: "w-1", opId: "op-1", keys: [key, meta], size: size + metaSize },
        { workspaceId: "w-2", opId: "op-9", keys: [half], size: 5 },
      ],
    );
    for (const unit of units)
      for (const each of unit.keys) await removeUnit(archives, each, signal);
    assert.deepEqual(await keysOf(archives, ""), strays.toSorted());
  });
}

/** Both ways to read it report the loss and its reason. */
async function assertLost(archives: Archives, code: string, what = ""): Promise<void> {
  const runs = [
    () => verifyUnit(archives, key, signal),
    () => openUnit(archives, key, signal).then(all),
  ];
  for (const run of runs) {
    const { details } = await assertThrows(run());
    const seen = [details["fault"], details["code"], details["archive_key"]];
    assert.deepEqual(seen, ["DataLost", code, key], what);
  }
}

async function plant(archives: Archives, at: string, bytes: Buffer): Promise<void> {
  const { sha256, size } = await sealOf(from(bytes));
  await archives.put(at, from(bytes), signal);
  await archives.put(`${at}.meta`, from(`sha256:${sha256}\nsize:${size}\n`), signal);
}

/** Turns a file's entry into a pipe's: its type letter and its checksum. */
async function* tarOfFifo(): AsyncGenerator<Uint8Array> {
  const tar = await all(tarWith(fileEntry("pipe", ""), fileEntry("note", "well")));
  tar.write("6", 156, "latin1");
  const sum = Number.parseInt(tar.toString("latin1", 148, 154), 8) + 6;
  tar.write(sum.toString(8).padStart(6, "0"), 148, "latin1");
  yield tar;
}
