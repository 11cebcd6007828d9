import type { VolumeSpec } from "../../features/workspaces/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { TarEntry } from "../../platform/tar/entry.ts";
import { readTar } from "../../platform/tar/read.ts";
import { writeTar } from "../../platform/tar/write.ts";
import { type Engine, bodyOf, inUse, messageIn } from "./docker-api.ts";
import { isOwned, labels, namesOf, foreignError, type Labels, homePath } from "./docker-names.ts";

/** The engine's view of a volume. */
export interface Volume {
  readonly Name: string;
  readonly Labels?: Labels;
}

interface Owned {
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Null: there is none; `foreign`: it is not this workspace's. */
export async function findVolume(
  engine: Engine,
  name: string,
  { id, signal }: Owned,
): Promise<Volume | "foreign" | null> {
  const answer = await engine.send({ method: "GET", path: `/volumes/${name}`, signal });
  if (answer.status === 404) return null;
  const found = bodyOf(answer, `inspect the volume ${name}`, 200) as Volume;
  return isOwned(found.Labels, id) ? found : "foreign";
}

/** The same, but throws for a foreign one. */
export async function ownVolume(
  engine: Engine,
  name: string,
  about: Owned,
): Promise<Volume | null> {
  const found = await findVolume(engine, name, about);
  if (found === "foreign") throw foreignError("volume", name);
  return found;
}

export function markerOf({ Labels }: Volume): string | null {
  return Labels?.[labels.restore] ?? null;
}

/** The engine answers with an existing volume, if there is one: its labels tell the owner and the purpose. */
export async function makeVolume(
  engine: Engine,
  { id, owner, marker }: VolumeSpec & { marker: string | null },
  signal: AbortSignal,
): Promise<void> {
  const { volume: Name } = namesOf(id);
  const ours = { [labels.workspace]: id, [labels.owner]: owner };
  const Labels = { ...ours, ...(marker !== null && { [labels.restore]: marker }) };
  const body = { Name, Driver: "local", Labels };
  const answer = await engine.send({ method: "POST", path: "/volumes/create", body, signal });
  const created =
    answer.status === 409 ? null : (bodyOf(answer, `create the volume ${Name}`, 201) as Volume);
  if (created === null || !isOwned(created.Labels, id)) throw foreignError("volume", Name);
  if (marker === null || markerOf(created) === marker) return;
  throw new DaybookError(
    "busy",
    `The volume ${Name} was created for another purpose meanwhile: inspect the workspace again.`,
  );
}

export async function removeVolume(engine: Engine, id: string, signal: AbortSignal): Promise<void> {
  const { volume: name } = namesOf(id);
  if ((await ownVolume(engine, name, { id, signal })) === null) return;
  const answer = await engine.send({ method: "DELETE", path: `/volumes/${name}`, signal });
  if (answer.status === 409) throw inUse(`The volume ${name}`, messageIn(answer));
  bodyOf(answer, `remove the volume ${name}`, 204, 404);
}

/**
 * A volume's tar with paths from the machine's root: there the engine keeps every symlink; in the volume it refuses those
 * that lead out of it. A truncated tar throws here.
 */
export function underHome(tar: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return writeTar(moved(readTar(tar)));
}

async function* moved(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
  for await (const entry of entries) {
    const target = entry.kind === "link" ? below(entry.target) : entry.target;
    yield { ...entry, path: below(entry.path), target };
  }
}

function below(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return [homePath.slice(1), ...parts].join("/");
}
