import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { openUnit, storeUnit } from "../../features/workspaces/archive-unit.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import { archivesSuite } from "../../testing/archives/conformance.ts";
import { all, emptyTar, from, keysOf, incompressible } from "../../testing/archives/rig.ts";
import { s3Server, type S3Server, type S3Trouble } from "../../testing/archives/s3-server.ts";
import { assertThrows, inTime } from "../../testing/machines/rig.ts";
import { s3 } from "./s3.ts";

const { signal } = new AbortController();
const key = "archives/w-1/op-1/home.tar.zst";
const mebibyte = 1024 ** 2;

function nobody(): { archives: Archives; endpoint: string } {
  const endpoint = "http://127.0.0.1:1";
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  return { archives: s3({ bucket: "books", endpoint, credentials }), endpoint };
}

/** The package's own settings: it sends checksums with a put. */
function clientOf({ endpoint, keys }: Pick<S3Server, "endpoint" | "keys">): S3Client {
  return new S3Client({ endpoint, credentials: keys, region: "eu-1", forcePathStyle: true });
}

archivesSuite("strict S3", async (t) => {
  const server = await s3Server(t, { partBytesMin: 100_000, pageKeys: 2 });
  const { bucket, endpoint, keys: credentials } = server;
  const client = clientOf(server);
  t.after(() => client.destroy());
  const prefix = "some/where";
  return {
    archives: s3({ bucket, prefix, client, partBytes: 100_000 }),
    other: s3({ bucket, prefix: "/some/where/", endpoint, credentials, partBytes: 100_000 }),
    largeBytes: 150_000,
    unfinished: () => server.uploads.size,
    unreachable: nobody,
  };
});

interface Rver {
  run(): Promise<unknown>;
  close(): Promise<unknown>;
  httpServer: Server;
}
// It has no types, and can neither list nor give up uploads in parts.
const { default: S3rver } = (await import(import.meta.resolve("s3rver"))) as {
  default: new (options: object) => Rver;
};

archivesSuite("s3rver", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "daybook-s3rver-"));
  const configureBuckets = [{ name: "books" }];
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: folder,
    configureBuckets,
  });
  const { port } = (await server.run()) as { port: number };
  const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  const endpoint = `http://127.0.0.1:${port}`;
  t.after(async () => {
    server.httpServer.closeAllConnections();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const make = () => s3({ bucket: "books", endpoint, credentials: keys, partBytes: 5 * mebibyte });
  return {
    archives: make(),
    other: make(),
    largeBytes: 6 * mebibyte,
    torn: "s3rver writes objects in place, byte by byte",
    unreachable: nobody,
  };
});

interface Scenario {
  readonly server: S3Server;
  readonly archives: Archives;
}

async function scenarioOf(
  t: TestContext,
  given: Partial<Parameters<typeof s3>[0]> = {},
): Promise<Scenario> {
  const server = await s3Server(t, { partBytesMin: 100_000 });
  const { bucket, endpoint, keys: credentials } = server;
  const archives = s3({
    bucket,
    endpoint,
    credentials,
    partBytes: 100_000,
    timeoutMs: 500,
    ...given,
  });
  return { server, archives };
}

const is =
  (verb: string, part = ""): S3Trouble["when"] =>
  ({ method, url }) =>
    method === verb && `${url.pathname}${url.search}`.includes(part);

test("the strict server checks If-None-Match, checksums and signatures", async (t) => {
  const { server, archives } = await scenarioOf(t);
  await archives.put(key, from("first"), signal);
  const client = clientOf(server);
  t.after(() => client.destroy());
  const put = { Bucket: server.bucket, Key: key, Body: "second" };
  await assert.rejects(client.send(new PutObjectCommand({ ...put, IfNoneMatch: "*" })), {
    name: "PreconditionFailed",
  });
  await assert.rejects(
    client.send(new PutObjectCommand({ ...put, ContentMD5: "AAAAAAAAAAAAAAAAAAAAAA==" })),
    {
      name: "BadDigest",
    },
  );
  await assert.rejects(client.send(new PutObjectCommand({ ...put, ChecksumCRC32: "AAAAAA==" })), {
    name: "BadDigest",
  });
  assert.equal((await all(await archives.get(key, signal))).toString(), "first");
});

test("refused credentials give advice, and never look like a missing archive", async (t) => {
  const { server } = await scenarioOf(t);
  const { bucket, endpoint, keys } = server;
  for (const wrong of [{ secretAccessKey: "wrong" }, { accessKeyId: "nobody" }]) {
    const archives = s3({ bucket, endpoint, credentials: { ...keys, ...wrong } });
    for (const call of [
      () => archives.get(key, signal),
      () => archives.head(key, signal),
      () => archives.put(key, from("x"), signal),
      () => Array.fromAsync(archives.list("", signal)),
      () => archives.check(signal),
    ]) {
      const error = await assertThrows(call(), "refused");
      assert.deepEqual(
        [error.details["fault"], error.details["status_code"]],
        ["Unreachable", 403],
      );
      assert.match(error.message, /check the access key/);
      assert.ok(!JSON.stringify(error.details).includes(keys.secretAccessKey));
    }
  }
  assert.equal(server.objects.size, 0);
});

test("a missing bucket is not reported as a missing archive", async (t) => {
  const { archives } = await scenarioOf(t, { bucket: "other" });
  for (const call of [
    () => archives.get(key, signal),
    () => archives.head(key, signal),
    () => archives.put(key, from("x"), signal),
    () => Array.fromAsync(archives.list("", signal)),
    () => archives.check(signal),
  ]) {
    const error = await assertThrows(call(), "unavailable");
    assert.match(error.message, /bucket other does not exist/);
  }
});

test("a single failure is retried, and a lasting one is an error", async (t) => {
  const { server, archives } = await scenarioOf(t);
  const what = { status: 500, code: "InternalError" };
  server.troubles.push({ when: () => true, what, times: 2 });
  await archives.put(key, from("x"), signal);
  assert.equal((await all(await archives.get(key, signal))).toString(), "x");
  server.troubles.push({ when: () => true, what: { status: 503, code: "SlowDown" }, times: 100 });
  const error = await assertThrows(archives.head(key, signal), "unavailable");
  assert.deepEqual(
    [error.details["status_code"], error.details["endpoint"]],
    [503, server.endpoint],
  );
});

test("parts have the configured size, and a failed part aborts the upload", async (t) => {
  const { server, archives } = await scenarioOf(t);
  const what = { status: 500, code: "InternalError" };
  server.troubles.push({ when: is("PUT", "partNumber=3"), what, times: 100 });
  await assertThrows(archives.put(key, from(incompressible(350_000)), signal), "unavailable");
  assert.equal(server.uploads.size, 0);
  assert.ok(server.asked.some((each) => each.startsWith("DELETE") && each.includes("uploadId")));
  server.troubles.length = 0;
  server.asked.length = 0;
  await archives.put(key, from(incompressible(350_000)), signal);
  assert.equal(server.asked.filter((each) => each.includes("partNumber")).length, 4);
  assert.equal(server.objects.get(key)?.length, 350_000);
});

test("an upload that cannot be completed leaves no object", async (t) => {
  const { server, archives } = await scenarioOf(t, { partBytes: 50_000 });
  const error = await assertThrows(
    archives.put(key, from(incompressible(120_000)), signal),
    "refused",
  );
  assert.match(error.message, /EntityTooSmall/);
  assert.deepEqual([server.objects.size, server.uploads.size], [0, 0]);
});

test("a body that breaks off or stalls is unavailable, not a lost archive", async (t) => {
  const { server, archives } = await scenarioOf(t);
  await storeUnit(archives, key, from(emptyTar), signal);
  for (const what of ["cut", "stuck"] as const) {
    server.troubles.push({ when: is("GET", "home.tar.zst"), what, times: 100 });
    const error = await assertThrows(openUnit(archives, key, signal).then(all), "unavailable");
    assert.equal(error.details["endpoint"], server.endpoint, what);
    assert.notEqual(error.details["fault"], "DataLost");
    server.troubles.length = 0;
  }
  assert.deepEqual(await all(await openUnit(archives, key, signal)), emptyTar);
});

test("a silent server ends in a timeout, or on an abort", async (t) => {
  const { server, archives } = await scenarioOf(t);
  server.troubles.push({ when: () => true, what: "silent", times: 100 });
  await assertThrows(archives.head(key, signal), "unavailable");
  const patient = s3({ ...server, credentials: server.keys, timeoutMs: 100_000 });
  const stopping = new AbortController();
  const asking = patient.head(key, stopping.signal);
  stopping.abort("stopping");
  await assertThrows(inTime(asking, "the call is aborted"), "closed");
});

test("an abort during a stalled body takes effect at once", async (t) => {
  const { server } = await scenarioOf(t);
  const patient = s3({ ...server, credentials: server.keys, timeoutMs: 100_000 });
  await patient.put(key, from(incompressible(200_000)), signal);
  server.troubles.push({ when: is("GET"), what: "stuck", times: 1 });
  const stopping = new AbortController();
  const reading = all(await patient.get(key, stopping.signal));
  stopping.abort("stopping");
  await assertThrows(reading, "closed");
});

test("a truncated list throws", async (t) => {
  const { server, archives } = await scenarioOf(t);
  for (const name of ["a", "b", "c"]) await archives.put(`archives/${name}`, from("x"), signal);
  assert.equal((await keysOf(archives, "")).length, 3);
  const what = { status: 500, code: "InternalError" };
  server.troubles.push({ when: is("GET", "list-type"), what, times: 100 });
  await assertThrows(Array.fromAsync(archives.list("", signal)), "unavailable");
});

test("a missing package is an error that names what to install", async () => {
  const load = () => Promise.reject(new Error("Cannot find package"));
  const archives = s3({ bucket: "books", load });
  const error = await assertThrows(archives.check(signal), "unsupported");
  assert.match(error.message, /npm install @aws-sdk\/client-s3/);
});
