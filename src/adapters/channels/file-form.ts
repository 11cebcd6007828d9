import { createHash } from "node:crypto";
import type { TextFile } from "./text-file.ts";

/** A form with one file. */
export interface FileForm {
  readonly fields: Readonly<Record<string, string>>;
  /** The field of the file. */
  readonly name: string;
  readonly file: TextFile;
}

/** The form as a body of a request. The same form gives the same body. */
export function fileForm({ fields, name, file }: FileForm): {
  headers: Record<string, string>;
  body: string;
} {
  const all = JSON.stringify([fields, name, file]);
  // A hash of the content cannot be part of it.
  const boundary = `daybook-${createHash("sha256").update(all).digest("hex")}`;
  const parts = Object.entries(fields).map(
    ([field, value]) => `content-disposition: form-data; name="${field}"\r\n\r\n${value}`,
  );
  const head = `content-disposition: form-data; name="${name}"; filename="${file.name}"`;
  parts.push(`${head}\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${file.content}`);
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: `${body}--${boundary}--\r\n`,
  };
}
