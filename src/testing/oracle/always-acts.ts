import type { Job } from "../../features/tasks/runner.ts";
import type { MachinesTap, SimVolume } from "../simulator/engine-state.ts";
import { contentIn } from "../simulator/home-content.ts";
import { arrivalMsMax } from "../simulator/keep-line.ts";
import type { Life } from "../simulator/kernel.ts";
import type { ArchivesTap } from "../simulator/sim-archives.ts";
import { neededBy, unitOf, wantedOf, workspaceAt } from "./always-notes.ts";
import type { Watch } from "./calls.ts";
import { worksOf } from "./facts.ts";
import { demand, factsOf } from "./notes.ts";
import { checkLease } from "./sends.ts";

/** What is done where workspaces live, in the moment in which it takes effect. */
export interface KeepTap extends MachinesTap, ArchivesTap {
  harmed(id: string): void;
  /** Somebody put this into it. */
  used(id: string, content: string): void;
  /** A task begins to run in it. */
  entered(life: Life, job: Job): void;
}

const orphanMsMin = 2 * 3_600_000;

export function watchActs(watch: Watch): KeepTap {
  const { notes, now } = watch;
  const { always } = notes;
  return {
    harmed: (id) => void always.harms.set(id, (always.harms.get(id) ?? 0) + 1),
    used: (id, content) => void always.newest.set(id, content),
    acted: (life, id, what) => checkAct(watch, life, id, what),
    destroyed: (_life, id, volume) => checkDestroyed(watch, id, volume),
    ended: (id) => void always.ranUntil.set(id, now()),
    ran(id, { content, isWhole }) {
      const newest = always.newest.get(id) ?? "";
      const tell = (): string => `${id} runs on ${JSON.stringify(content)}, not on ${newest}`;
      demand(notes, isWhole && content === newest, "what runs has the newest content", tell);
    },
    stored(life, key, isAgain) {
      if (!key.includes("/home.tar")) return;
      const tell = (): string => `${life.name} writes ${key}`;
      demand(notes, !isAgain, "an archive is written once", tell);
      const isKnown = always.neededUntil.has(unitOf(key));
      demand(notes, isKnown, "the ledger knows an archive before its first byte", tell);
    },
    collected: (_life, keys) => keys.forEach((key) => checkCollected(watch, key)),
    entered(life, { id, workspaceId: place = "" }) {
      checkLease(watch, factsOf(notes, id), life);
      const isUp = always.outside?.engine.at(place).machine === "running";
      const downMs = now() - (always.ranUntil.get(place) ?? -Infinity);
      const tell = (): string => `${life.name} runs ${id} in ${place}, down for ${downMs} ms`;
      watch.marks.reached("a task ran in a workspace");
      demand(notes, isUp || downMs < lookMsMax, "a task runs only in what is up", tell);
    },
  };
}

/** From a look to what follows from it: its answer may be slow, and so may the store's that is asked then. */
const lookMsMax = 55_000;

/** What destroys is done under a lease that is ours, but for the time that a call is on its way. */
function checkAct(watch: Watch, life: Life, id: string, what: string): void {
  const { notes, now, marks } = watch;
  marks.reached(`workspace: ${what}`);
  const { claimedAt, leaseMs } = worksOf(factsOf(notes, id), life);
  const lateMs = now() - claimedAt - leaseMs;
  const tell = (): string => `${life.name} does "${what}" to ${id}, ${lateMs} ms late`;
  if (lateMs > arrivalMsMax) marks.reached(`late: ${what}`);
  const isHarmless = what === "start" || what === "provision";
  demand(notes, isHarmless || lateMs <= arrivalMsMax, "nothing is destroyed without a lease", tell);
  checkAtRest(watch, id, tell);
}

/** What is as it should be is left alone, for as long as nothing else is asked or chosen. */
function checkAtRest(watch: Watch, id: string, tell: () => string): void {
  const { notes } = watch;
  const { atRest } = notes.always;
  const asked = atRest.get(id);
  if (asked === undefined) return;
  const record = workspaceAt(watch, id);
  const isSame = record !== undefined && askedOf(record) === asked;
  if (!isSame) atRest.delete(id);
  demand(notes, !isSame, "what is as it should be is left alone", tell);
}

/** Whoever recovers it asks for nothing else than before, and yet something is to be done. */
export function askedOf(record: NonNullable<ReturnType<typeof workspaceAt>>): string {
  const { state, body, outcome } = record;
  return `${body.asks} ${wantedOf(body, outcome)} ${body.deletedAt !== null} ${state === "error"}`;
}

/** Only what is in an archive that was read back, and that the ledger knows; or what its user deleted. */
function checkDestroyed(watch: Watch, id: string, volume: SimVolume): void {
  const { notes } = watch;
  if (!volume.isWhole) return;
  const record = workspaceAt(watch, id);
  if (record === undefined || record.body.deletedAt !== null) return;
  const key = record.outcome?.archiveKey ?? "";
  const kept = notes.always.outside?.storage.at(key);
  const meta = notes.always.outside?.storage.at(`${key}.meta`);
  const isSaved = kept !== undefined && meta !== undefined && kept.isReadBack;
  const isSame = kept !== undefined && contentIn(kept.given) === volume.content;
  const tell = (): string =>
    `${id} had ${JSON.stringify(volume)}; ${key} ${JSON.stringify({ isSaved, isSame })}`;
  watch.marks.reached("a volume went into its archive");
  demand(notes, isSaved && isSame, "no content is destroyed that is not in a good archive", tell);
}

/** Nobody needs it, and nobody has for two hours. */
function checkCollected(watch: Watch, key: string): void {
  const { notes, marks } = watch;
  const { neededUntil } = notes.always;
  const unit = unitOf(key);
  const record = workspaceAt(watch, key.split("/")[1] ?? "");
  const isNeeded = record !== undefined && neededBy(record).includes(unit);
  const idleMs = watch.storeNow() - (neededUntil.get(unit) ?? -Infinity);
  const tell = (): string => `${key}, needed ${idleMs} ms ago; ${JSON.stringify(record?.outcome)}`;
  marks.reached("an archive was collected");
  demand(notes, !isNeeded, "an archive that is needed is never collected", tell);
  demand(notes, idleMs >= orphanMsMin, "an archive is collected only after two hours", tell);
}
