import { DaybookError } from "../../platform/errors.ts";
import type { Engine } from "./docker-api.ts";
import { bodyOf } from "./docker-fault.ts";

/** Older ones cannot do what is asked here; newer ones still speak the second. */
const oldest: ApiVersion = [1, 41];
const preferred: ApiVersion = [1, 44];

type ApiVersion = readonly [major: number, minor: number];

export interface EngineVersion {
  /** Of the engine. */
  readonly version: string;
  /** What both speak. */
  readonly api: string;
}

interface Told {
  Version?: string;
  ApiVersion?: string;
  MinAPIVersion?: string;
}

/** Asks an engine what it speaks, without saying a version. */
export async function askVersion(unversioned: Engine, signal: AbortSignal): Promise<EngineVersion> {
  const answer = await unversioned.ask({ method: "GET", path: "/version", signal });
  const told = bodyOf(answer, "say its version", 200) as Told;
  return { version: told.Version ?? "unknown", api: apiOf(told) };
}

function apiOf(told: Told): string {
  const newest = versionOf(told.ApiVersion);
  if (isBefore(newest, oldest)) {
    const has = told.ApiVersion ?? "none";
    const toDo = "install Docker 20.10 or newer";
    throw new DaybookError(
      "unsupported",
      `The Docker engine speaks API ${has}, and ${oldest.join(".")} is needed: ${toDo}.`,
      { details: { endpoint: "docker" } },
    );
  }
  const least = versionOf(told.MinAPIVersion);
  const common = isBefore(newest, preferred) ? newest : preferred;
  return (isBefore(common, least) ? least : common).join(".");
}

function versionOf(text = ""): ApiVersion {
  const [, major = "0", minor = "0"] = /^(\d+)\.(\d+)$/u.exec(text) ?? [];
  return [Number(major), Number(minor)];
}

function isBefore(one: ApiVersion, two: ApiVersion): boolean {
  return one[0] - two[0] < 0 || (one[0] === two[0] && one[1] < two[1]);
}
