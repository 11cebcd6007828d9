import { slackStamp } from "../simulator/faulty-channel.ts";
import type { Watch } from "./calls.ts";
import type { Facts, Version } from "./facts.ts";

/** At its target, or in the thread that another message began there, once that has arrived. */
export function isAtTarget(watch: Watch, { target, thread }: Version, place: string): boolean {
  const first = thread === null ? undefined : watch.model.facts.get(thread);
  if (first === undefined) return place === target;
  watch.history.read(first.owner);
  const who = { owner: first.owner, by: "oracle" };
  const isKnown = watch.engine.get({ who, id: first.id }) !== undefined;
  if (!isKnown) return place === target || isIn(first, place);
  if (first.end === null) return false; // it must wait for that
  return hasThread(first) ? isIn(first, place) : place === target;
}

/** It arrived by itself: what a digest has said began no thread. */
function hasThread({ end, outcome }: Facts): boolean {
  const receipt = JSON.stringify(outcome?.receipt ?? null);
  const isAlone = receipt.includes("messages") && !receipt.includes("digest");
  return end?.state === "delivered" && isAlone;
}

/** In the thread of one of the times that it arrived. */
function isIn({ arrivals, versions }: Facts, place: string): boolean {
  const began = versions.at(-1)?.target ?? "";
  return arrivals.some(({ receipt }) => place === `${began}:${slackStamp(receipt)}`);
}
