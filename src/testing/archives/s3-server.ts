import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { crc32 } from "node:zlib";
import { md5, s3Error, s3Shelf, type S3Answer, type S3Shelf } from "./s3-shelf.ts";
import { signatureFault, type S3Keys } from "./s3-signature.ts";

/** A failure of the requests that a test selects. */
export interface S3Trouble {
  readonly when: (asked: { method: string; url: URL }) => boolean;
  /** `silent`: never answers. `cut`: closes the connection after half of the body. `stuck`: stalls after half of it. */
  readonly what: "silent" | "cut" | "stuck" | { readonly status: number; readonly code: string };
  /** For how many requests. Absent: all of them. */
  times?: number;
}

export interface S3Server extends S3Shelf {
  readonly endpoint: string;
  readonly keys: S3Keys;
  readonly bucket: string;
  readonly asked: string[];
  readonly troubles: S3Trouble[];
}

interface Settings {
  readonly bucket?: string;
  readonly partBytesMin?: number;
  readonly pageKeys?: number;
}

/**
 * A fake bucket of Amazon S3, stricter than most: it checks signatures, checksums, the minimal size of parts
 * and their order, and honours `If-None-Match`.
 */
export async function s3Server(t: TestContext, settings: Settings = {}): Promise<S3Server> {
  const { bucket = "books", partBytesMin = 5 * 1024 ** 2, pageKeys = 1_000 } = settings;
  const shelf = s3Shelf({ bucket, partBytesMin, pageKeys });
  const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a secret / of+ours" };
  const asked: string[] = [];
  const troubles: S3Trouble[] = [];
  const server = createServer((request, response) => {
    void respond(request, response).catch(() => response.destroy());
  });
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "", url: path = "" } = request;
    const url = new URL(path, "http://here");
    asked.push(`${method} ${path}`);
    const trouble = troubles.find(({ when, times = 1 }) => times > 0 && when({ method, url }));
    if (trouble?.times !== undefined) trouble.times -= 1;
    const { what } = trouble ?? {};
    if (what === "silent") return;
    const { headers } = request;
    const fault = signatureFault({ method, url, headers, body }, keys);
    const answer =
      typeof what === "object"
        ? s3Error(what.status, what.code)
        : fault === undefined
          ? answerTo({ method, url, headers, body }, bucket, shelf)
          : s3Error(403, fault);
    send(
      response,
      answer,
      method === "HEAD",
      what === "cut" || what === "stuck" ? what : undefined,
    );
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  return { ...shelf, endpoint, keys, bucket, asked, troubles };
}

function send(
  response: ServerResponse,
  { status, body = "", headers = {} }: S3Answer,
  isHead: boolean,
  breaks: "cut" | "stuck" | undefined,
): void {
  const bytes = Buffer.from(body);
  const isHeld = isHead && status !== 200;
  response.writeHead(status, { "content-length": isHeld ? 0 : bytes.length, ...headers });
  if (isHead) return void response.end();
  if (breaks === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (breaks === "cut") response.destroy();
  });
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

function answerTo(request: Asked, bucket: string, shelf: S3Shelf): S3Answer {
  const { method, url, headers, body } = request;
  const [, named = "", ...rest] = decodeURIComponent(url.pathname).split("/");
  const key = rest.join("/");
  const query = url.searchParams;
  if (named !== bucket) return s3Error(404, "NoSuchBucket");
  if (key === "") {
    if (method === "HEAD") return { status: 200 };
    const isList = method === "GET" && query.get("list-type") === "2";
    return isList ? shelf.list(query) : s3Error(405, "MethodNotAllowed");
  }
  const fault = sumFault(headers, body);
  if (fault !== undefined) return s3Error(400, fault);
  const upload = query.get("uploadId");
  if (method === "POST" && query.has("uploads")) return shelf.begin(key);
  if (upload !== null) return uploadAnswer(request, { upload, key }, shelf);
  if (method === "PUT") return shelf.put(key, body, headers["if-none-match"] === "*");
  if (method === "DELETE") {
    shelf.objects.delete(key);
    return { status: 204 };
  }
  const found = shelf.objects.get(key);
  if (found === undefined) return s3Error(404, "NoSuchKey");
  return { status: 200, body: found, headers: { etag: `"${md5(found)}"` } };
}

function uploadAnswer(
  { method, url, body }: Asked,
  { upload, key }: { upload: string; key: string },
  shelf: S3Shelf,
): S3Answer {
  if (method === "PUT") {
    return shelf.part(upload, key, Number(url.searchParams.get("partNumber")), body);
  }
  if (method === "POST") return shelf.complete(upload, key, body.toString("utf8"));
  return shelf.uploads.delete(upload) ? { status: 204 } : s3Error(404, "NoSuchUpload");
}

/** Checks the checksums that were sent. */
function sumFault(headers: Asked["headers"], body: Buffer): string | undefined {
  if (headers["content-encoding"]?.includes("aws-chunked")) return "NotImplemented";
  const wanted = headers["content-md5"];
  if (wanted !== undefined && Buffer.from(md5(body), "hex").toString("base64") !== wanted)
    return "BadDigest";
  const sum = headers["x-amz-checksum-crc32"];
  const right = Buffer.alloc(4);
  right.writeUInt32BE(crc32(body));
  return sum === undefined || sum === right.toString("base64") ? undefined : "BadDigest";
}
