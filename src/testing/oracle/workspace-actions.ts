import type { Job } from "../../features/tasks/runner.ts";
import type { MachineObserver, SimVolume } from "../simulator/engine-state.ts";
import { contentIn } from "../simulator/home-content.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import type { ArchiveObserver } from "../simulator/simulated-storage.ts";
import { arrivalMsMax } from "../simulator/unreliable-link.ts";
import type { Watch } from "./calls.ts";
import { workOf } from "./facts.ts";
import { checkInvariant, factsOf } from "./model.ts";
import { checkLease } from "./sends.ts";
import { neededBy, unitOf, desiredLevel, workspaceAt } from "./workspace-notes.ts";

/** What is done where workspaces live, in the moment in which it takes effect. */
export interface WorkspaceObserver extends MachineObserver, ArchiveObserver {
  faulted(id: string): void;
  /** Somebody put this into it. */
  used(id: string, content: string): void;
  /** A task begins to run in it. */
  entered(process: VirtualProcess, job: Job): void;
}

const orphanMsMin = 2 * 3_600_000;

export function watchActs(watch: Watch): WorkspaceObserver {
  const { model, now } = watch;
  const { workspaces } = model;
  return {
    faulted: (id) => void workspaces.faultCounts.set(id, (workspaces.faultCounts.get(id) ?? 0) + 1),
    used: (id, content) => void workspaces.newestContent.set(id, content),
    acted: (process, id, what) => checkAct(watch, process, id, what),
    destroyed: (_life, id, volume) => checkDestroyed(watch, id, volume),
    ended: (id) => void workspaces.ranUntil.set(id, now()),
    ran(id, { content, isWhole }) {
      const newestContent = workspaces.newestContent.get(id) ?? "";
      const detail = (): string =>
        `${id} runs on ${JSON.stringify(content)}, not on ${newestContent}`;
      checkInvariant(
        model,
        isWhole && content === newestContent,
        "a running machine has the newest content",
        detail,
      );
    },
    stored(process, key, isAgain) {
      if (!key.includes("/home.tar")) return;
      const detail = (): string => `${process.name} writes ${key}`;
      checkInvariant(model, !isAgain, "an archive is written once", detail);
      const isKnown = workspaces.neededUntil.has(unitOf(key));
      checkInvariant(
        model,
        isKnown,
        "an archive is recorded before its first byte is written",
        detail,
      );
    },
    collected: (_life, keys) => keys.forEach((key) => checkCollected(watch, key)),
    entered(process, { id, workspaceId: place = "" }) {
      checkLease(watch, factsOf(model, id), process);
      const isUp = workspaces.backend?.engine.at(place).machine === "running";
      const downMs = now() - (workspaces.ranUntil.get(place) ?? -Infinity);
      const detail = (): string => `${process.name} runs ${id} in ${place}, down for ${downMs} ms`;
      watch.marks.reached("a task ran in a workspace");
      checkInvariant(
        model,
        isUp || downMs < lookMsMax,
        "a task runs only in a running workspace",
        detail,
      );
    },
  };
}

/** From a look to what follows from it: its answer may be slow, and so may the store's that is asked then. */
const lookMsMax = 55_000;

/** What destroys is done under a lease that is ours, but for the time that a call is on its way. */
function checkAct(watch: Watch, process: VirtualProcess, id: string, what: string): void {
  const { model, now, marks } = watch;
  marks.reached(`workspace: ${what}`);
  const { claimedAt, leaseMs } = workOf(factsOf(model, id), process);
  const lateMs = now() - claimedAt - leaseMs;
  const detail = (): string => `${process.name} does "${what}" to ${id}, ${lateMs} ms late`;
  if (lateMs > arrivalMsMax) marks.reached(`late: ${what}`);
  const isHarmless = what === "start" || what === "provision";
  checkInvariant(
    model,
    isHarmless || lateMs <= arrivalMsMax,
    "nothing is destroyed without a lease",
    detail,
  );
  checkAtRest(watch, id, detail);
}

/** What is as it should be is left alone, for as long as nothing else is asked or chosen. */
function checkAtRest(watch: Watch, id: string, detail: () => string): void {
  const { model } = watch;
  const { convergedStates } = model.workspaces;
  const request = convergedStates.get(id);
  if (request === undefined) return;
  const record = workspaceAt(watch, id);
  const isSame = record !== undefined && requestOf(record) === request;
  if (!isSame) convergedStates.delete(id);
  checkInvariant(model, !isSame, "a converged workspace is left unchanged", detail);
}

/** Whoever recovers it asks for nothing else than before, and yet something is to be done. */
export function requestOf(record: NonNullable<ReturnType<typeof workspaceAt>>): string {
  const { state, body, outcome } = record;
  return `${body.asks} ${desiredLevel(body, outcome)} ${body.deletedAt !== null} ${state === "error"}`;
}

/** Only what is in an archive that was read back, and that the ledger knows; or what its user deleted. */
function checkDestroyed(watch: Watch, id: string, volume: SimVolume): void {
  const { model } = watch;
  if (!volume.isWhole) return;
  const record = workspaceAt(watch, id);
  if (record === undefined || record.body.deletedAt !== null) return;
  const key = record.outcome?.archiveKey ?? "";
  const kept = model.workspaces.backend?.storage.at(key);
  const meta = model.workspaces.backend?.storage.at(`${key}.meta`);
  const isSaved = kept !== undefined && meta !== undefined && kept.isReadBack;
  const isSame = kept !== undefined && contentIn(kept.original) === volume.content;
  const detail = (): string =>
    `${id} had ${JSON.stringify(volume)}; ${key} ${JSON.stringify({ isSaved, isSame })}`;
  watch.marks.reached("a volume was replaced by its archive");
  checkInvariant(
    model,
    isSaved && isSame,
    "a volume is destroyed only after its content is in a good archive",
    detail,
  );
}

/** Nobody needs it, and nobody has for two hours. */
function checkCollected(watch: Watch, key: string): void {
  const { model, marks } = watch;
  const { neededUntil } = model.workspaces;
  const unit = unitOf(key);
  const record = workspaceAt(watch, key.split("/")[1] ?? "");
  const isNeeded = record !== undefined && neededBy(record).includes(unit);
  const idleMs = watch.storeNow() - (neededUntil.get(unit) ?? -Infinity);
  const detail = (): string =>
    `${key}, needed ${idleMs} ms ago; ${JSON.stringify(record?.outcome)}`;
  marks.reached("an archive was collected");
  checkInvariant(model, !isNeeded, "a needed archive is never collected", detail);
  checkInvariant(
    model,
    idleMs >= orphanMsMin,
    "an archive is collected only after two hours",
    detail,
  );
}
