import { makeSchedule } from "../../features/schedules/draft.ts";
import { makeTask } from "../../features/tasks/kind.ts";
import type { RequestContext } from "../../features/workspaces/capacity.ts";
import { makeWorkspace } from "../../features/workspaces/draft.ts";
import {
  levelEdit,
  deletionEdit,
  recoveryEdit,
  touchEdit,
} from "../../features/workspaces/edits.ts";
import { levels, type WorkspaceKind, workspaceKind } from "../../features/workspaces/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { ClientPorts } from "./client-process.ts";
import { engineName } from "./simulated-engine.ts";
import type { SimulatedBackend } from "./workspace-backend.ts";
import { workspaceTaskName } from "./workspace-runner.ts";

export interface WorkspaceClientOptions extends ClientPorts {
  name: string;
  owner: string;
  backend: SimulatedBackend;
  /** How many workspaces it has at most, and the longest rest between two wishes. */
  count: number;
  restMs: number;
  /** Every schedule it made. */
  schedules: string[];
  busy(): boolean;
}

interface WorkspaceClient extends WorkspaceClientOptions {
  book: Book;
  /** How often it asked for one: no two names are alike. */
  scheduleCount: number;
}

type Workspace = LedgerRecord<WorkspaceKind>;
type Change = (client: WorkspaceClient, record: Workspace) => Promise<unknown>;

/** What it does with a workspace that is there. */
const changes: readonly [Change, ...Change[]] = [
  setLevel,
  setLevel,
  setLevel,
  setLevel,
  touch,
  runIn,
  runIn,
  recover,
  recover,
  remove,
  schedule,
];

/** Has workspaces, and changes its mind about them. */
export async function runWorkspaceClient(options: WorkspaceClientOptions): Promise<void> {
  const { ledger, owner, name, clock, random, count } = options;
  const client: WorkspaceClient = { ...options, book: ledger.of(owner, name), scheduleCount: 0 };
  for (let index = 0; index < count; index += 1) await ignoringErrors(create(client, index));
  while (options.busy()) {
    await sleep(clock, intBelow(random, options.restMs));
    await ignoringErrors(changeOne(client));
  }
}

async function ignoringErrors(asking: Promise<unknown>): Promise<void> {
  await asking.catch(() => undefined);
}

async function changeOne(client: WorkspaceClient): Promise<unknown> {
  const { random, count } = client;
  const name = nameAt(intBelow(random, count));
  const found = (await workspacesOf(client.book)).find(({ body }) => body.name === name);
  if (found === undefined) return create(client, Number(name.slice(1)));
  return pick(random, changes)(client, found);
}

export async function workspacesOf(book: Book): Promise<readonly Workspace[]> {
  return (await book.list({ kind: workspaceKind, live: true, limit: 500 })).records;
}

function nameAt(index: number): string {
  return `w${index}`;
}

function requestContext({
  clock,
  backend,
}: Pick<WorkspaceClient, "clock" | "backend">): RequestContext {
  return { now: Math.floor(clock.wall()), limits: backend.limits };
}

async function create(client: WorkspaceClient, index: number): Promise<unknown> {
  const { random, owner, book } = client;
  const desired = pick(random, levels);
  const draft = makeWorkspace(
    {
      owner,
      name: nameAt(index),
      imageRef: "node:24",
      machine: { memoryMb: 512, cpus: 1, pids: 256 },
      desired,
      standbyTtlSeconds: 60 + intBelow(random, 600),
      archiveTtlSeconds: 120 + intBelow(random, 1_200),
      wakeAheadSeconds: 60,
      target: pick(random, ["sim:a1", "sim:a2", "sim:a3"]),
      origin: null,
    },
    engineName,
    requestContext(client),
  );
  return book.append(draft);
}

async function setLevel(client: WorkspaceClient, record: Workspace): Promise<unknown> {
  if (record.body.deletedAt !== null) return undefined;
  return client.book.edit(levelEdit(record, pick(client.random, levels), requestContext(client)));
}

async function touch(client: WorkspaceClient, record: Workspace): Promise<unknown> {
  const { now, limits } = requestContext(client);
  const edit = touchEdit(record, now, limits);
  return edit === undefined ? undefined : client.book.edit(edit);
}

export async function recover({ book }: { book: Book }, record: Workspace): Promise<unknown> {
  return record.state === "error" ? book.edit(recoveryEdit(record)) : undefined;
}

async function remove(client: WorkspaceClient, record: Workspace): Promise<unknown> {
  if (chance(client.random, 0.5)) return undefined;
  return removeNow(client, record);
}

export async function removeNow(
  { book, clock }: { book: Book; clock: Clock },
  record: Workspace,
): Promise<unknown> {
  return book.edit(deletionEdit(record, Math.floor(clock.wall())));
}

async function runIn(client: WorkspaceClient, { body }: Workspace): Promise<unknown> {
  const { now } = requestContext(client);
  const to = { target: "sim:a1", origin: null };
  const task = {
    name: workspaceTaskName,
    in: body.name,
    input: {},
    ...to,
    timeoutMs: 120_000,
    at: now,
  };
  return client.book.append(makeTask(task));
}

async function schedule(client: WorkspaceClient, { body }: Workspace): Promise<unknown> {
  const { schedules, random, owner } = client;
  if (schedules.length >= schedulesMax) return undefined;
  client.scheduleCount += 1;
  const { now } = requestContext(client);
  const everyMs = pick(random, [3, 5, 12]) * 60_000;
  const draft = makeSchedule(
    {
      name: `${client.name} ${client.scheduleCount}`,
      cadence: { type: "interval", everyMs, anchor: now },
      whenText: "then",
      run: { task: workspaceTaskName, in: body.name, input: {} },
      notify: "never",
      target: "sim:a1",
      origin: null,
      misfire: "latest",
      overlap: "skip",
      rerun: true,
      timeoutMs: 120_000,
      notifyAfterFailures: 0,
      disableAfterFailures: 0,
    },
    { owner, now, limit: 50 },
  );
  const id = client.ids();
  schedules.push(id); // before it is known whether it was written
  return client.book.append({ ...draft, id });
}

const schedulesMax = 3;
