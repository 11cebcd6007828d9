/** A mail, as its recipient reads it. */
export interface Mail {
  /** By lower-case name; a repeated header has several values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text?: string;
  readonly html?: string;
  readonly attached?: { readonly name: string; readonly content: string };
}

interface Part {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

/** Reads a mail from its bytes (as latin1): its headers, and the text and HTML in it. */
export function readMail(raw: string): Mail {
  const whole = partOf(raw);
  const leaves = leavesOf(whole);
  const text = leaves.find((part) => typeOf(part) === "text/plain" && nameOf(part) === undefined);
  const html = leaves.find((part) => typeOf(part) === "text/html");
  const file = leaves.find((part) => nameOf(part) !== undefined);
  return {
    headers: whole.headers,
    ...(text === undefined ? {} : { text: contentOf(text) }),
    ...(html === undefined ? {} : { html: contentOf(html) }),
    ...(file === undefined
      ? {}
      : { attached: { name: nameOf(file) ?? "", content: contentOf(file) } }),
  };
}

function partOf(raw: string): Part {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw.slice(0, end === -1 ? raw.length : end).replaceAll(/\r\n(?=[ \t])/g, "");
  const headers: Record<string, string[]> = {};
  for (const line of head.split("\r\n")) {
    const [, name = "", value = ""] = /^([\w-]+):\s*(.*)$/s.exec(line) ?? [];
    (headers[name.toLowerCase()] ??= []).push(wordsOf(value));
  }
  return { headers, body: end === -1 ? "" : raw.slice(end + 4) };
}

function leavesOf(part: Part): readonly Part[] {
  const [type = ""] = part.headers["content-type"] ?? [];
  const [, boundary] = /^multipart\/.*boundary="?([^";]+)"?/s.exec(type) ?? [];
  if (boundary === undefined) return [part];
  const inner = `\r\n${part.body}`.split(`\r\n--${boundary}`).slice(1, -1);
  return inner.flatMap((each) => leavesOf(partOf(each.replace(/^\r\n/, ""))));
}

function typeOf({ headers }: Part): string {
  return (headers["content-type"]?.[0] ?? "text/plain").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Of an attachment. */
function nameOf({ headers }: Part): string | undefined {
  const [disposition = ""] = headers["content-disposition"] ?? [];
  return /^attachment;.*filename="?([^";]+)"?/s.exec(disposition)?.[1];
}

function contentOf({ headers, body }: Part): string {
  const coding = headers["content-transfer-encoding"]?.[0]?.toLowerCase() ?? "7bit";
  if (coding === "base64") return Buffer.from(body, "base64").toString();
  const bytes = coding === "quoted-printable" ? unquoted(body.replaceAll(/=\r\n/g, "")) : body;
  return Buffer.from(bytes, "latin1").toString().replaceAll("\r\n", "\n");
}

function unquoted(text: string): string {
  return text.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

/** Encoded words in a header: `=?UTF-8?Q?...?=`. */
function wordsOf(value: string): string {
  const joined = value.replaceAll(/\?=\s+=\?/g, "?==?");
  return joined.replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, coding: string, word: string) =>
    coding.toLowerCase() === "b"
      ? Buffer.from(word, "base64").toString()
      : Buffer.from(unquoted(word.replaceAll("_", " ")), "latin1").toString(),
  );
}
