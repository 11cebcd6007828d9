import { parseTarget } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { type RequestContext, holdsOf } from "./capacity.ts";
import {
  unobservedWorkspace,
  workspaceQueue,
  type Level,
  type MachineLimits,
  type WorkspaceKind,
} from "./kind.ts";

export interface NewWorkspace {
  readonly owner: string;
  readonly name: string;
  readonly description?: string | null;
  readonly memo?: string | null;
  readonly imageRef: string;
  readonly machine: MachineLimits;
  readonly desired: Level;
  readonly standbyTtlSeconds: number;
  readonly archiveTtlSeconds: number;
  readonly wakeAheadSeconds: number;
  readonly target: string;
  readonly origin: string | null;
  /** Tasks that wait for it. */
  readonly waiting?: readonly string[];
}

/** The draft of a workspace. Every workspace is made here. */
export function makeWorkspace(
  request: NewWorkspace,
  location: string,
  { now, limits }: RequestContext,
): DraftOf<WorkspaceKind> {
  const { owner, description = null, memo = null, waiting = [], ...given } = request;
  const body: WorkspaceKind["body"] = {
    ...given,
    description,
    memo,
    waiting,
    asks: 1,
    lastAccessAt: now,
    deletedAt: null,
  };
  checkWorkspace(body);
  return {
    kind: "workspace",
    queue: workspaceQueue(location),
    body,
    outcome: unobservedWorkspace,
    state: "pending",
    wakeAt: 0,
    holds: holdsOf(owner, body.name, given.desired === "RUNNING" ? limits : undefined),
  };
}

/** The settings of a workspace whose request leaves them out. */
export interface WorkspaceDefaults {
  /** Null: none is set, so that the request must name one. */
  readonly imageRef: string | null;
  readonly machine: MachineLimits;
  readonly standbyTtlSeconds: number;
  readonly archiveTtlSeconds: number;
  readonly wakeAheadSeconds: number;
}

/** The image of machines that are not containers. */
export const localImage = "local";

const nameShape = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,98}[\p{L}\p{N}._-])?$/u;
const textCharsMax = 2_000;
const imageCharsMax = 512;
const ttlSecondsMax = 366 * 86_400;

/** Refuses an invalid workspace, with advice. */
export function checkWorkspace(body: WorkspaceKind["body"]): void {
  const { name, description, memo, imageRef, target } = body;
  if (!nameShape.test(name)) {
    throw wrong(
      `${quote(name)} is not a workspace name: start with a letter or a digit, then use these, spaces and . _ - (100 at most).`,
    );
  }
  for (const [field, text] of Object.entries({ description, memo })) {
    if (text === null || text.length <= textCharsMax) continue;
    throw wrong(`The ${field} has ${text.length} characters: shorten it to ${textCharsMax}.`);
  }
  if (!/^[\w./:@-]+$/.test(imageRef) || imageRef.length > imageCharsMax) {
    throw wrong(
      `${quote(imageRef)} is not an image: write it like node:24, or with a digest like node@sha256:….`,
    );
  }
  parseTarget(target);
  checkNumber("memoryMb", body.machine.memoryMb, { min: 16, max: 1_048_576 });
  checkNumber("cpus", body.machine.cpus, { min: 0.05, max: 512 });
  checkNumber("pids", body.machine.pids, { min: 8, max: 1_000_000 });
  checkNumber("standby_ttl_seconds", body.standbyTtlSeconds, { min: 1, max: ttlSecondsMax });
  checkNumber("archive_ttl_seconds", body.archiveTtlSeconds, { min: 1, max: ttlSecondsMax });
  checkNumber("wake_ahead_seconds", body.wakeAheadSeconds, { min: 0, max: 86_400 });
}

function checkNumber(
  field: string,
  value: number,
  { min, max }: { min: number; max: number },
): void {
  if (Number.isFinite(value) && value >= min && value <= max) return;
  throw wrong(`"${field}" must be a number from ${min} to ${max}, not ${value}.`);
}

function wrong(sentence: string): DaybookError {
  return new DaybookError("invalid", sentence);
}
