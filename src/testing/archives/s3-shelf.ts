import { createHash } from "node:crypto";

export interface S3Answer {
  readonly status: number;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

/** The objects of one bucket, by S3's rules. */
export interface S3Shelf {
  readonly objects: Map<string, Buffer>;
  readonly uploads: Map<string, Upload>;
  put(key: string, body: Buffer, isNew: boolean): S3Answer;
  begin(key: string): S3Answer;
  part(upload: string, key: string, number: number, body: Buffer): S3Answer;
  complete(upload: string, key: string, xml: string): S3Answer;
  list(asked: URLSearchParams): S3Answer;
}

interface Rules {
  readonly bucket: string;
  /** The minimal size of every part but the last: 5 MiB at Amazon. */
  readonly partBytesMin: number;
  /** The most keys of a list's page: 1,000 at Amazon. */
  readonly pageKeys: number;
}

export function s3Shelf({ bucket, partBytesMin, pageKeys }: Rules): S3Shelf {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  let begun = 0;
  return {
    objects,
    uploads,
    put(key, body, isNew) {
      if (isNew && objects.has(key)) return s3Error(412, "PreconditionFailed");
      objects.set(key, body);
      return { status: 200, headers: { etag: `"${md5(body)}"` } };
    },
    begin(key) {
      const id = `upload-${(begun += 1)}`;
      uploads.set(id, { key, parts: new Map() });
      return xmlOf("InitiateMultipartUploadResult", { Bucket: bucket, Key: key, UploadId: id });
    },
    part(id, key, number, body) {
      const upload = uploads.get(id);
      if (upload?.key !== key) return s3Error(404, "NoSuchUpload");
      if (!(number >= 1 && number <= 10_000)) return s3Error(400, "InvalidArgument");
      upload.parts.set(number, body);
      return { status: 200, headers: { etag: `"${md5(body)}"` } };
    },
    complete(id, key, xml) {
      const upload = uploads.get(id);
      if (upload?.key !== key) return s3Error(404, "NoSuchUpload");
      const body = assembled(upload, xml, partBytesMin);
      if (!Buffer.isBuffer(body)) return body;
      objects.set(key, body);
      uploads.delete(id);
      return xmlOf("CompleteMultipartUploadResult", { Bucket: bucket, Key: key });
    },
    list(asked) {
      const prefix = asked.get("prefix") ?? "";
      const after = asked.get("continuation-token") ?? "";
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
      const rest = keys.filter((key) => key > after);
      const page = rest.slice(0, pageKeys);
      const isTruncated = rest.length > page.length;
      const contents = page.map(
        (key) =>
          `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length ?? 0}</Size></Contents>`,
      );
      const next = isTruncated ? { NextContinuationToken: page.at(-1) ?? "" } : {};
      const facts = { Name: bucket, Prefix: prefix, KeyCount: `${page.length}`, ...next };
      return xmlOf(
        "ListBucketResult",
        { ...facts, IsTruncated: `${isTruncated}` },
        contents.join(""),
      );
    },
  };
}

/** The named parts as one object, or the code of the error. */
function assembled({ parts }: Upload, xml: string, partBytesMin: number): Buffer | S3Answer {
  const named = [...xml.matchAll(/<Part>([^]*?)<\/Part>/g)].map(([, part = ""]) => ({
    number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    etag: /<ETag>(?:"|&quot;)?([0-9a-f]+)(?:"|&quot;)?<\/ETag>/.exec(part)?.[1],
  }));
  if (named.length === 0) return s3Error(400, "MalformedXML");
  const bodies: Buffer[] = [];
  for (const [index, { number, etag }] of named.entries()) {
    const body = parts.get(number);
    if (body === undefined || md5(body) !== etag) return s3Error(400, "InvalidPart");
    if (index > 0 && number <= (named[index - 1]?.number ?? 0))
      return s3Error(400, "InvalidPartOrder");
    if (index < named.length - 1 && body.length < partBytesMin)
      return s3Error(400, "EntityTooSmall");
    bodies.push(body);
  }
  return Buffer.concat(bodies);
}

export function md5(body: Buffer): string {
  return createHash("md5").update(body).digest("hex");
}

export function s3Error(status: number, code: string): S3Answer {
  const { body = "" } = xmlOf("Error", { Code: code, Message: `It is ${code}`, RequestId: "1" });
  return { status, body, headers: { "content-type": "application/xml" } };
}

function xmlOf(name: string, fields: Readonly<Record<string, string>>, more = ""): S3Answer {
  const inner = Object.entries(fields).map(([key, value]) => `<${key}>${value}</${key}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${inner.join("")}${more}</${name}>`;
  return { status: 200, body, headers: { "content-type": "application/xml" } };
}
