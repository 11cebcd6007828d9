import type { RestoreSpec, Volumes } from "../../features/workspaces/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type Engine, bodyOf, inUse, unexpected } from "./docker-api.ts";
import { homeMount, ownContainer, removeContainer } from "./docker-container.ts";
import { homePath, labels, namesOf } from "./docker-names.ts";
import { underHome, makeVolume, ownVolume, removeVolume } from "./docker-volume.ts";

interface HelperOptions {
  readonly engine: Engine;
  readonly clock: Clock;
}

/** Empty: a helper is never started. */
const emptyImage = { repo: "daybook/empty", tag: "1" };
const emptyTar = new Uint8Array(1_024);

/** The longest pause without a byte while a volume is packed or filled. */
const silenceMs = 5 * 60_000;

/** Volumes. The engine reads and fills a volume only through a container: the helper, which never runs. */
export function dockerVolumes(options: HelperOptions): Volumes {
  const { engine } = options;
  return {
    provision: (volume, signal) =>
      rejecting(() => makeVolume(engine, { ...volume, marker: null }, signal)),
    read: (id, signal) => rejecting(() => read(options, id, signal)),
    restore: (volume, tar, signal) => rejecting(() => restore(options, volume, tar, signal)),
    remove: (id, signal) =>
      rejecting(async () => {
        await sweep(options, id, signal);
        await removeVolume(engine, id, signal);
      }),
  };
}

/** Turns a synchronous throw into a rejection. */
async function rejecting<T>(call: () => Promise<T>): Promise<T> {
  return await call();
}

async function read(
  options: HelperOptions,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { engine } = options;
  const names = namesOf(id);
  if ((await ownVolume(engine, names.volume, { id, signal })) === null) {
    const toDo = "there is nothing to archive; inspect the workspace again";
    throw new DaybookError("not_found", `The workspace has no volume ${names.volume}: ${toDo}.`);
  }
  await mustBeFree(options, id, signal);
  await makeHelper(options, id, signal);
  try {
    const path = `/containers/${names.helper}/archive`;
    // The dot: names in the tar are relative to it.
    const query = { path: `${homePath}/.` };
    const answer = await engine.stream({
      method: "GET",
      path,
      query,
      signal,
      timeoutMs: silenceMs,
    });
    if (!("pieces" in answer)) throw unexpected(answer, `read the volume ${names.volume}`);
    return withCleanup(answer.pieces, () => sweepAnyway(options, id));
  } catch (error) {
    await sweepAnyway(options, id);
    throw error;
  }
}

async function* withCleanup(
  pieces: AsyncIterable<Uint8Array>,
  done: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    await done();
  }
}

async function restore(
  options: HelperOptions,
  volume: RestoreSpec,
  tar: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const { engine } = options;
  const { id } = volume;
  const names = namesOf(id);
  await mustBeFree(options, id, signal);
  await sweep(options, id, signal);
  await removeVolume(engine, id, signal);
  await makeVolume(engine, volume, signal);
  await makeHelper(options, id, signal);
  try {
    const answer = await engine.send({
      method: "PUT",
      path: `/containers/${names.helper}/archive`,
      query: { path: "/" },
      body: underHome(tar),
      signal,
      timeoutMs: restoreMs,
    });
    bodyOf(answer, `restore the volume ${names.volume}`, 200);
  } finally {
    await sweepAnyway(options, id);
  }
}

/** For an engine that hangs; the caller gives up sooner. */
const restoreMs = 6 * 60 * 60_000;

/** A volume that is written to while it is read gives no consistent copy. */
async function mustBeFree(
  { engine }: HelperOptions,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { machine, volume } = namesOf(id);
  const found = await ownContainer(engine, machine, { id, signal });
  if (found !== null) throw inUse(`The volume ${volume}`, `the container ${machine} uses it`);
}

async function makeHelper(options: HelperOptions, id: string, signal: AbortSignal): Promise<void> {
  const { engine } = options;
  const { helper: name, volume } = namesOf(id);
  await sweep(options, id, signal);
  await ensureEmptyImage(engine, signal);
  const body = {
    Image: `${emptyImage.repo}:${emptyImage.tag}`,
    Cmd: ["never"],
    Labels: { [labels.workspace]: id, [labels.helper]: "1" },
    HostConfig: { NetworkMode: "none", CapDrop: ["ALL"], Mounts: [homeMount(id, volume)] },
  };
  const path = "/containers/create";
  const answer = await engine.send({ method: "POST", path, query: { name }, body, signal });
  if (answer.status === 409)
    throw inUse(`The volume ${volume}`, "another node reads or restores it");
  bodyOf(answer, `create the container ${name}`, 201);
}

async function ensureEmptyImage(engine: Engine, signal: AbortSignal): Promise<void> {
  const { repo, tag } = emptyImage;
  const path = `/images/${repo}:${tag}/json`;
  const existing = await engine.send({ method: "GET", path, signal });
  if (existing.status === 200) return;
  const query = { fromSrc: "-", repo, tag };
  const body = once(emptyTar);
  const created = await engine.send({
    method: "POST",
    path: "/images/create",
    query,
    body,
    signal,
  });
  if (created.status !== 200) throw unexpected(created, `create the empty image ${repo}:${tag}`);
}

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(piece);
}

/** Removes the helper of a node that died: it holds the volume. */
async function sweep(
  { engine, clock }: HelperOptions,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { helper } = namesOf(id);
  const left = await ownContainer(engine, helper, { id, signal });
  if (left !== null) await removeContainer(engine, clock, left, signal);
}

/** Also after an abort; the next call sweeps again if it fails. */
async function sweepAnyway(options: HelperOptions, id: string): Promise<void> {
  await sweep(options, id, new AbortController().signal).catch(() => undefined);
}
