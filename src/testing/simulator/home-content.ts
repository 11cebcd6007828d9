import { readAll, type Bytes } from "../../platform/byte-stream.ts";
import { blockBytes, type TarEntry } from "../../platform/tar/entry.ts";
import { readHeader } from "../../platform/tar/header.ts";
import { readTar } from "../../platform/tar/read.ts";
import { writeTar } from "../../platform/tar/write.ts";

const bytesMax = 2 ** 20;

/** A home with one file in it. */
export function tarOf(content: string): Promise<Buffer> {
  const bytes = Buffer.from(content);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  async function* entries(): AsyncGenerator<TarEntry> {
    const plain = { mode: 0o600, uid: 0, gid: 0, mtimeSeconds: 1, target: "" };
    yield { ...plain, path: "home", kind: "file", size: bytes.length, body: body() };
  }
  return readAll(writeTar(entries()), bytesMax);
}

export async function contentOf(tar: Bytes): Promise<string> {
  let content = "";
  for await (const { body } of readTar(tar)) content = (await readAll(body, bytesMax)).toString();
  return content;
}

/** The same of bytes that are here. */
export function contentIn(tar: Buffer): string {
  const { size } = readHeader(tar.subarray(0, blockBytes));
  return tar.toString("utf8", blockBytes, blockBytes + size);
}
