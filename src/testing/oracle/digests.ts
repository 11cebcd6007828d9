import type { Message } from "../../features/notifications/channel.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Line, type Version, type ProcessWork } from "./facts.ts";
import { checkInvariant } from "./model.ts";

/** What is said together: each once, of one owner, for one place, and nothing whose time is not now. */
export function checkDigest(watch: Watch, facts: Facts, message: Message, work: ProcessWork): void {
  const { model, marks } = watch;
  const must = (holds: boolean, invariant: string, about: unknown = message): void =>
    checkInvariant(model, holds, invariant, () => `${facts.id}: ${JSON.stringify(about)}`);
  const ids = work.members;
  must(ids !== null, "the members of a digest are saved before it is sent");
  if (ids === null) return;
  marks.reached(ids.length === 1 ? "a digest of one message" : "a digest of several messages");
  must(new Set(ids).size === ids.length, "a digest lists each member once", ids);
  const lines = linesOf(ids, message.text);
  must(lines.length === ids.length, "the text of a digest has one line for each member", ids);
  facts.lines.set(message.text, lines);
  for (const line of lines) {
    const member = model.facts.get(line.id);
    const version = member && versionRead(member, line.text, watch, work);
    must(version !== undefined, "the text of a digest is the text of its members", line);
    if (member === undefined || version === undefined) continue;
    checkMember(watch, { facts, work, member, version });
  }
}

/** As it may have been read: what was moved while a digest is made, is said as it was when the digest was claimed. */
function versionRead(
  { versions }: Facts,
  words: string,
  { model }: Watch,
  { order }: ProcessWork,
): Version | undefined {
  const read = versions.filter(
    ({ text }, index) => text === words && (versions[index + 1]?.order ?? Infinity) > order,
  );
  return read.find(({ at }) => at <= model.storeNowMax) ?? read.at(-1);
}

/** The digest of one is its message; of many, a heading and a line each, after the time of day. */
function linesOf(ids: readonly string[], text: string): readonly Line[] {
  const texts = ids.length === 1 ? [text] : text.split("\n").slice(1);
  const words = ids.length === 1 ? texts : texts.map((line) => line.replace(/^\d\d:\d\d {2}/, ""));
  return words.map((word, index) => ({ id: ids[index] ?? "", text: word }));
}

interface Membership {
  facts: Facts;
  work: ProcessWork;
  member: Facts;
  version: Version;
}

function checkMember({ model }: Watch, { facts, work, member, version }: Membership): void {
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(
      model,
      holds,
      invariant,
      () => `${member.id} in ${facts.id}: ${JSON.stringify(version)}`,
    );
  must(member.owner === facts.owner, "a digest has one owner");
  must(version.target === facts.versions.at(-1)?.target, "a digest has the target of its members");
  must(member.digests.has(facts.id), "a digest contains only notifications that wait for it");
  must(version.at <= model.storeNowMax, "nothing is sent or run before its time");
  must(version.expiresAt > work.claimedStoreAt, "nothing is sent after its expiry time");
  const taken = member.cancelledOrder !== null && member.cancelledOrder < work.order;
  must(!taken, "a cancelled notification is not sent");
}
