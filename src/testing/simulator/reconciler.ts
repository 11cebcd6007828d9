import { type ChoreKind, choreKind } from "../../features/nodes/chore.ts";
import { makeNotification } from "../../features/notifications/kind.ts";
import type { Controller } from "../../kernel/controller.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Draft, Consequences } from "../../kernel/unit.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { targets } from "./targets.ts";

export interface ReconcilerOptions {
  clock: Clock;
  random: Random;
  ids: Ids;
  /** An act begins. */
  actStarted(id: string): void;
  /** Other relays of the owner, to be woken. */
  peers(owner: string): readonly string[];
}

/** What a step saw: fresh ids and the consequence it will ask for. */
interface Step {
  childId: string;
  extra: "nothing" | "edit" | "cancel" | "wake" | "wake child" | "impossible";
  peer: string | undefined;
  target: string;
  everyMs: number;
}

export const reconcilerQueue = "chore@relay";

/**
 * A controller whose every step has consequences in the same unit, so that units are put to the
 * test: a child in each step, and sometimes an edit, a cancel, a wake, or something impossible.
 */
export function reconciler({
  clock,
  random,
  ids,
  actStarted,
  peers,
}: ReconcilerOptions): Controller<ChoreKind, Step> {
  return {
    name: "relay",
    kind: choreKind,
    queue: reconcilerQueue,
    async act(record, { signal }) {
      actStarted(record.id);
      await sleep(clock, intBelow(random, chance(random, 0.2) ? 25_000 : 500), signal);
      const others = peers(record.owner).filter((id) => id !== record.id);
      return {
        childId: ids(),
        extra: pick(random, ["nothing", "edit", "cancel", "wake", "wake child", "impossible"]),
        peer: others[intBelow(random, Math.max(others.length, 1))],
        target: pick(random, targets),
        everyMs: record.body.everyMs,
      };
    },
    decide(record, step, facts) {
      const { count, childId, target } = lastStep(record);
      const now = facts.now;
      return {
        state: "waiting",
        wakeAt: now + step.everyMs,
        freshStart: true,
        note: `step ${count + 1}`,
        outcome: { did: `${count + 1} ${step.childId} ${step.target}` },
        consequences: {
          append: [child(record, step, now)],
          ...extraConsequences(step, { childId, target }),
        },
      };
    },
  };
}

interface LastStep {
  childId: string | undefined;
  /** Where it goes: an edit leaves that as it is. */
  target: string;
}

function lastStep({ outcome }: Claimed<ChoreKind>): LastStep & { count: number } {
  const [count = "0", childId, target = ""] = outcome?.did.split(" ") ?? [];
  return { count: Number(count), childId, target };
}

function child(record: Claimed<ChoreKind>, step: Step, now: number): Draft {
  const count = lastStep(record).count + 1;
  const message = `relay ${step.childId}`;
  const at = now + (count % 3) * 2_000;
  const { target } = step;
  return {
    ...makeNotification({ message, at, atText: "soon", target, origin: target }),
    id: step.childId,
    key: { name: `relay ${record.id} ${count}` },
    note: `of ${record.id} step ${count}`,
  };
}

function extraConsequences(step: Step, { childId, target }: LastStep): Consequences {
  switch (step.extra) {
    case "nothing":
      return {};
    case "edit": {
      if (childId === undefined) return {};
      const message = `relay ${childId} edited by ${step.childId}`;
      const body = { message, at: 0, atText: "now", target, origin: target };
      return { edit: [{ kind: "notification", id: childId, body }] };
    }
    case "cancel":
      return childId === undefined ? {} : { cancel: [{ id: childId, reason: "relay" }] };
    case "wake":
      return step.peer === undefined ? {} : { wake: [{ id: step.peer }] };
    case "wake child":
      return { wake: [{ id: step.childId }] };
    case "impossible":
      return { wake: [{ id: "no such record" }] };
  }
}
