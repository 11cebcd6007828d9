import { extract, pack, type Header } from "tar-stream";

/** An entry of a volume, as read from its tar. */
export interface Kept {
  /** From the volume's root; folders have no slash at the end. */
  readonly name: string;
  readonly type: Header["type"];
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeSeconds: number;
  readonly linkname: string | null;
  readonly content: string;
}

/** Only root can change the owner of its files. */
const owner = process.getuid?.() === 0 ? { uid: 1_234, gid: 2_345 } : own();

function own(): { uid: number; gid: number } {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

export function kept(name: string, given: Partial<Kept> = {}): Kept {
  const mtimeSeconds = 1_700_000_001;
  const plain = { type: "file" as const, mode: 0o644, mtimeSeconds, linkname: null, content: "" };
  return { name, ...plain, ...owner, ...given };
}

/** An ordinary home, with entries that a transfer easily loses. */
export const home: readonly Kept[] = [
  kept(".profile", { content: "PS1='$ '\n", mode: 0o600 }),
  kept("bin", { type: "directory", mode: 0o755 }),
  kept("bin/run", { content: "#!/bin/sh\necho ran\n", mode: 0o755 }),
  kept("bin/first", { type: "symlink", linkname: "run", mode: 0o777 }),
  kept("bin/outside", { type: "symlink", linkname: "/etc/hostname", mode: 0o777 }),
  kept("bin/nowhere", { type: "symlink", linkname: "../../gone", mode: 0o777 }),
  kept("empty", { type: "directory", mode: 0o700, mtimeSeconds: 1_600_000_000 }),
  kept("locked", { type: "directory", mode: 0o500, mtimeSeconds: 1_600_000_000 }),
  kept("locked/note", { content: "inside", mode: 0o400 }),
  kept("약 먹을 시간.txt", { content: "가나다\n", mtimeSeconds: 1_234_567_890 }),
  kept(" spaces and 'quotes' \"$(id)\"", { content: "x" }),
  kept("old", { content: "before time", mtimeSeconds: 1 }),
  kept("no-bytes"),
  kept(`long-${"n".repeat(240)}`, { content: "long name" }),
  kept(`deep`, { type: "directory", mode: 0o755 }),
  ...["a", "b", "c"].map((_, depth) =>
    kept(`deep${"/folder".padEnd(100, "-").repeat(depth + 1)}`, { type: "directory", mode: 0o755 }),
  ),
  kept(`deep${"/folder".padEnd(100, "-").repeat(3)}/leaf`, { content: "deep" }),
  kept("megabytes", { content: "0123456789abcdef".repeat(300_000) }),
];

/** The entries as a tar, in chunks. */
export function tarOf(all: readonly Kept[]): AsyncIterable<Uint8Array> {
  const tar = pack();
  for (const { content, mtimeSeconds, linkname, ...rest } of all) {
    const header = { ...rest, mtime: new Date(mtimeSeconds * 1_000) };
    if (rest.type === "file") tar.entry(header, content);
    else tar.entry({ ...header, ...(linkname !== null && { linkname }) });
  }
  tar.finalize();
  return tar as AsyncIterable<Uint8Array>;
}

/** The entries of a tar by name, without its root. */
export async function keptIn(tar: AsyncIterable<Uint8Array>): Promise<Kept[]> {
  const entries = extract();
  const found: Kept[] = [];
  const reading = (async () => {
    for await (const entry of entries) {
      const pieces: Uint8Array[] = [];
      for await (const piece of entry as AsyncIterable<Uint8Array>) pieces.push(piece);
      found.push(keptFrom(entry.header, Buffer.concat(pieces).toString("utf8")));
    }
  })();
  const writing = (async () => {
    for await (const piece of tar) {
      if (entries.write(piece)) continue;
      await new Promise<void>((resolve) => void entries.once("drain", () => resolve()));
    }
    entries.end(null);
  })();
  writing.catch((error: unknown) => entries.destroy(error as Error));
  await Promise.all([writing, reading]);
  return found.filter(({ name }) => name !== "").toSorted(byName);
}

function keptFrom(header: Header, content: string): Kept {
  const { mode, uid, gid, mtime, type } = header;
  const name = fromRoot(header.name).replace(/\/$/u, "");
  const target = type === "link" ? fromRoot(header.linkname) : header.linkname;
  const linkname = type === "link" || type === "symlink" ? target : null;
  const mtimeSeconds = Math.floor(mtime.getTime() / 1_000);
  return { name, type, mode: mode & 0o7777, uid, gid, mtimeSeconds, linkname, content };
}

/** Removes a leading `./`. */
function fromRoot(name: string): string {
  return name.replace(/^\.(?:\/|$)/u, "");
}

export function byName(a: Kept, b: Kept): number {
  return a.name < b.name ? -1 : 1;
}
