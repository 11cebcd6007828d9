import type { Message } from "../../features/notifications/channel.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Line, type Version, type Works } from "./facts.ts";
import { demand } from "./notes.ts";

/** What is said together: each once, of one owner, for one place, and nothing whose time is not now. */
export function checkDigest(watch: Watch, facts: Facts, message: Message, works: Works): void {
  const { notes, marks } = watch;
  const must = (holds: boolean, invariant: string, about: unknown = message): void =>
    demand(notes, holds, invariant, () => `${facts.id}: ${JSON.stringify(about)}`);
  const ids = works.members;
  must(ids !== null, "a digest is written down before it is said");
  if (ids === null) return;
  marks.reached(ids.length === 1 ? "digest of one" : "digest of many");
  must(new Set(ids).size === ids.length, "a digest has each member once", ids);
  const lines = linesOf(ids, message.text);
  must(lines.length === ids.length, "a digest says each of its members once", ids);
  facts.lines.set(message.text, lines);
  for (const line of lines) {
    const member = notes.facts.get(line.id);
    const version = member && versionRead(member, line.text, watch, works);
    must(version !== undefined, "a digest says what its members say", line);
    if (member === undefined || version === undefined) continue;
    checkMember(watch, { facts, works, member, version });
  }
}

/** As it may have been read: what was moved while a digest is made, is said as it was when the digest was claimed. */
function versionRead(
  { versions }: Facts,
  words: string,
  { notes }: Watch,
  { order }: Works,
): Version | undefined {
  const read = versions.filter(
    ({ text }, index) => text === words && (versions[index + 1]?.order ?? Infinity) > order,
  );
  return read.find(({ at }) => at <= notes.storeNowMax) ?? read.at(-1);
}

/** The digest of one is its message; of many, a heading and a line each, after the time of day. */
function linesOf(ids: readonly string[], text: string): readonly Line[] {
  const texts = ids.length === 1 ? [text] : text.split("\n").slice(1);
  const words = ids.length === 1 ? texts : texts.map((line) => line.replace(/^\d\d:\d\d {2}/, ""));
  return words.map((word, index) => ({ id: ids[index] ?? "", text: word }));
}

interface Membership {
  facts: Facts;
  works: Works;
  member: Facts;
  version: Version;
}

function checkMember({ notes }: Watch, { facts, works, member, version }: Membership): void {
  const must = (holds: boolean, invariant: string): void =>
    demand(
      notes,
      holds,
      invariant,
      () => `${member.id} in ${facts.id}: ${JSON.stringify(version)}`,
    );
  must(member.owner === facts.owner, "a digest is one owner's");
  must(version.target === facts.versions.at(-1)?.target, "a digest goes where its members go");
  must(member.digests.has(facts.id), "a digest has only those that wait for it");
  must(version.at <= notes.storeNowMax, "never early");
  must(version.expiresAt > works.claimedStoreAt, "nothing is said after its time is over");
  const taken = member.cancelledOrder !== null && member.cancelledOrder < works.order;
  must(!taken, "what was taken back is not said");
}
