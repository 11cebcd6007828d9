import { fileKey } from "../../kernel/files.ts";
import type { Transferred } from "../../kernel/transfer.ts";
import type { Key } from "../../kernel/unit.ts";
import type { NotificationKind } from "./kind.ts";

type Facts = Pick<Key, "asked" | "until">;

/**
 * The request behind a key that the program itself makes: it makes the same key again, and must find the first record. Of
 * a key that a person chose only the name is known: a request that repeats it is refused.
 */
export function keyFacts({ key, id, body, createdAt }: Transferred<NotificationKind>): Facts {
  const name = key ?? "";
  if (name === "welcome") return { asked: {}, until: Number.MAX_SAFE_INTEGER };
  if (name === fileKey(id).name) return fileKey(id);
  if (name.startsWith("when-notice:")) return { asked: { name }, until: createdAt + dayMs };
  const said = body.marks?.of;
  if (said !== undefined) return { asked: { said, change: name.slice(`mark:${said}:`.length) } };
  const [, from] = /^downtime:(\d+)$/.exec(name) ?? [];
  if (from !== undefined) return { asked: { from: Number(from) }, until: createdAt + 30 * dayMs };
  const [, target, hour] = /^undeliverable:(.+):(\d+)$/.exec(name) ?? [];
  if (target !== undefined) {
    return { asked: { target, hour: Number(hour) }, until: createdAt + dayMs };
  }
  return { asked: name };
}

const dayMs = 86_400_000;
