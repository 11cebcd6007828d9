import type { StartContext, MachineSpec } from "../../features/workspaces/index.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { type Engine, bodyOf, messageIn, unexpected } from "./docker-api.ts";
import {
  machineBody,
  machineState,
  ownContainer,
  removeContainer,
  type Container,
} from "./docker-container.ts";
import { imageId } from "./docker-image.ts";
import { labels, namesOf } from "./docker-names.ts";
import { ownVolume } from "./docker-volume.ts";

export interface StartOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly network: string;
  readonly pull: boolean;
}

/** Other nodes may make or remove it at the same time, but not for ever. */
const triesMax = 10;
const readyCheckMs = 200;

/** A machine on the workspace's volume that is ready for work. */
export async function startMachine(
  options: StartOptions,
  spec: MachineSpec,
  context: StartContext,
): Promise<void> {
  const { engine, clock, network } = options;
  const names = namesOf(spec.id);
  const about = { id: spec.id, signal: context.signal };
  const found = await ownContainer(engine, names.machine, about);
  await mustHaveVolume(engine, names.volume, about);
  if (found !== null && isWell(found)) return await waitUntilReady(options, found.Id, context);
  const image = await imageId(options, spec.imageRef, context);
  let body = machineBody(spec, { network, volumeName: names.volume, image });
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const created = await tryStart(options, names.machine, body, about);
    if (typeof created === "object") return await waitUntilReady(options, created.running, context);
    if (created === "without init") body = withoutInit(body);
    await sleep(clock, tries * 20, context.signal);
  }
  const toDo = "let only one installation manage this workspace";
  throw new DaybookError(
    "busy",
    `The container ${names.machine} is created and removed repeatedly by another client: ${toDo}.`,
  );
}

type StartAttempt = { readonly running: string } | "gone" | "without init";

/** Another node may do the same: its container is used if it has the same spec. */
async function tryStart(
  { engine, clock }: StartOptions,
  name: string,
  body: Record<string, Json>,
  about: { id: string; signal: AbortSignal },
): Promise<StartAttempt> {
  const { signal } = about;
  const existing = await ownContainer(engine, name, about);
  if (existing !== null && isWell(existing)) return { running: existing.Id };
  const isAsSpecified = existing?.State.Status === "created" && specOf(existing) === specIn(body);
  if (existing !== null && !isAsSpecified) await removeContainer(engine, clock, existing, signal);
  const created = isAsSpecified ? existing.Id : await create(engine, name, body, signal);
  if (created === null) return "gone";
  await mustHaveShell(engine, created, signal);
  return await run(engine, created, signal);
}

/** Without a shell it would end right after its start, and could be seen running until then. */
async function mustHaveShell(engine: Engine, created: string, signal: AbortSignal): Promise<void> {
  const path = `/containers/${created}/archive`;
  const answer = await engine.send({ method: "HEAD", path, query: { path: "/bin/sh" }, signal });
  if (answer.status !== 404) return;
  const existing = await engine.send({
    method: "GET",
    path: `/containers/${created}/json`,
    signal,
  });
  if (existing.status === 404) return; // it was removed meanwhile
  const toDo = "use one with a shell, sleep and the programs to run";
  throw new DaybookError("invalid", `The image of the machine has no /bin/sh: ${toDo}.`);
}

/** It runs, and is not unhealthy. */
function isWell({ State: { Status, Health } }: Container): boolean {
  return Status === "running" && Health?.Status !== "unhealthy";
}

function specOf({ Config }: Container): string | undefined {
  return Config.Labels?.[labels.spec];
}

function specIn(body: Record<string, Json>): string | undefined {
  return (body["Labels"] as Record<string, string>)[labels.spec];
}

function withoutInit(body: Record<string, Json>): Record<string, Json> {
  const ours = body["Labels"] as Record<string, string>;
  return {
    ...body,
    Labels: { ...ours, [labels.spec]: `${ours[labels.spec]}-without-init` },
    HostConfig: { ...(body["HostConfig"] as Record<string, Json>), Init: false },
  };
}

async function mustHaveVolume(
  engine: Engine,
  name: string,
  about: { id: string; signal: AbortSignal },
): Promise<void> {
  if ((await ownVolume(engine, name, about)) !== null) return;
  const toDo = "provision or restore it before the machine starts";
  throw new DaybookError("not_found", `The workspace has no volume ${name}: ${toDo}.`);
}

/** Null: another node created one of that name in between. */
async function create(
  engine: Engine,
  name: string,
  body: Record<string, Json>,
  signal: AbortSignal,
): Promise<string | null> {
  const path = "/containers/create";
  const answer = await engine.send({ method: "POST", path, query: { name }, body, signal });
  if (answer.status === 409) return null;
  return (bodyOf(answer, `create the container ${name}`, 201) as { Id: string }).Id;
}

async function run(engine: Engine, container: string, signal: AbortSignal): Promise<StartAttempt> {
  const path = `/containers/${container}/start`;
  const answer = await engine.send({ method: "POST", path, signal });
  const { status } = answer;
  if (status === 204 || status === 304) return { running: container };
  if (status === 404 && /no such container/iu.test(messageIn(answer))) return "gone";
  if (status === 409) return "gone";
  if (/docker-init/u.test(messageIn(answer))) return "without init";
  throw unexpected(answer, "start the machine");
}

async function waitUntilReady(
  { engine, clock }: StartOptions,
  container: string,
  { signal, progress }: StartContext,
): Promise<void> {
  for (let checks = 1; ; checks += 1) {
    const path = `/containers/${container}/json`;
    const answer = await engine.send({ method: "GET", path, signal });
    if (answer.status === 404) throw endedEarly("it was removed from outside", 0);
    const { State } = bodyOf(answer, "inspect the machine", 200) as Container;
    const state = machineState(State.Status, State.Health?.Status);
    if (state === "running") return;
    if (state === "stopped") {
      const reason =
        State.OOMKilled === true ? "it ran out of memory" : State.Error || State.Status;
      throw endedEarly(reason, State.ExitCode ?? 0);
    }
    if (State.Health?.Status === "unhealthy") throw unhealthy(State.Health.Log?.at(-1));
    if (checks === 1) progress("waiting for its health check");
    await sleep(clock, readyCheckMs, signal);
  }
}

function endedEarly(reason: string, exit: number): DaybookError {
  const toDo = "check that the image has /bin/sh and sleep, and that the machine has enough memory";
  return new DaybookError(
    "invalid",
    `The machine ended right after its start (${reason}): ${toDo}.`,
    {
      details: { exit_code: exit, stderr: reason },
    },
  );
}

function unhealthy(last: { ExitCode: number; Output: string } | undefined): DaybookError {
  const output = (last?.Output ?? "").trim().slice(-2_000);
  const toDo = "fix the cause of the failed health check, or use another image";
  const message = output === "" ? "no output" : output;
  return new DaybookError(
    "invalid",
    `The machine runs, and its health check fails (${message}): ${toDo}.`,
    {
      details: { exit_code: last?.ExitCode ?? null, stderr: output },
    },
  );
}
