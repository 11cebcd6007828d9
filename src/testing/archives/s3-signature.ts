import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface Signed {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** Checks a request's signature (AWS Signature Version 4). Answers S3's error code; undefined: it is valid. */
export function signatureFault(request: Signed, keys: S3Keys): string | undefined {
  const found = form.exec(request.headers.authorization ?? "");
  if (found === null) return "AccessDenied";
  const [, id, day = "", region = "", names = "", signature] = found;
  if (id !== keys.accessKeyId) return "InvalidAccessKeyId";
  const { headers, body } = request;
  const date = textOf(headers["x-amz-date"]);
  const hash = textOf(headers["x-amz-content-sha256"]);
  const signed = names.split(";");
  if (!date.startsWith(day) || !signed.includes("host")) return "AuthorizationHeaderMalformed";
  if (hash !== createHash("sha256").update(body).digest("hex")) return "XAmzContentSHA256Mismatch";
  const lines = signed.map(
    (name) => `${name}:${textOf(headers[name]).trim().replaceAll(/ +/g, " ")}\n`,
  );
  const { method, url } = request;
  const asked = [method, url.pathname, queryOf(url), lines.join(""), names, hash].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const sealed = createHash("sha256").update(asked).digest("hex");
  const text = ["AWS4-HMAC-SHA256", date, scope, sealed].join("\n");
  let key: Buffer | string = `AWS4${keys.secretAccessKey}`;
  for (const part of scope.split("/")) key = createHmac("sha256", key).update(part).digest();
  const right = createHmac("sha256", key).update(text).digest("hex");
  return right === signature ? undefined : "SignatureDoesNotMatch";
}

function queryOf(url: URL): string {
  const encoded = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return encoded.toSorted().join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function textOf(header: string | string[] | undefined): string {
  return [header ?? ""].flat().join(",");
}
