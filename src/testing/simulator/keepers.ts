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
import type { Visitor } from "./enter.ts";
import type { KeepWorld } from "./keep-world.ts";
import { placeName } from "./place-runner.ts";
import { place } from "./sim-machines.ts";

export interface KeeperOptions extends Visitor {
  name: string;
  owner: string;
  world: KeepWorld;
  /** How many workspaces it has at most, and the longest rest between two wishes. */
  count: number;
  restMs: number;
  /** Every schedule it made. */
  schedules: string[];
  busy(): boolean;
}

interface Keeper extends KeeperOptions {
  book: Book;
  /** How often it asked for one: no two names are alike. */
  asked: number;
}

type Workspace = LedgerRecord<WorkspaceKind>;
type Ask = (keeper: Keeper, record: Workspace) => Promise<unknown>;

/** What it does with a workspace that is there. */
const asks: readonly [Ask, ...Ask[]] = [
  flip,
  flip,
  flip,
  flip,
  touch,
  runIn,
  runIn,
  recover,
  recover,
  remove,
  schedule,
];

/** Has workspaces, and changes its mind about them. */
export async function runKeeper(options: KeeperOptions): Promise<void> {
  const { ledger, owner, name, clock, random, count } = options;
  const keeper: Keeper = { ...options, book: ledger.of(owner, name), asked: 0 };
  for (let index = 0; index < count; index += 1) await quietly(create(keeper, index));
  while (options.busy()) {
    await sleep(clock, intBelow(random, options.restMs));
    await quietly(wish(keeper));
  }
}

async function quietly(asking: Promise<unknown>): Promise<void> {
  await asking.catch(() => undefined);
}

async function wish(keeper: Keeper): Promise<unknown> {
  const { random, count } = keeper;
  const name = nameAt(intBelow(random, count));
  const found = (await workspacesOf(keeper.book)).find(({ body }) => body.name === name);
  if (found === undefined) return create(keeper, Number(name.slice(1)));
  return pick(random, asks)(keeper, found);
}

export async function workspacesOf(book: Book): Promise<readonly Workspace[]> {
  return (await book.list({ kind: workspaceKind, live: true, limit: 500 })).records;
}

function nameAt(index: number): string {
  return `w${index}`;
}

function atOf({ clock, world }: Pick<Keeper, "clock" | "world">): RequestContext {
  return { now: Math.floor(clock.wall()), limits: world.limits };
}

async function create(keeper: Keeper, index: number): Promise<unknown> {
  const { random, owner, book } = keeper;
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
    place,
    atOf(keeper),
  );
  return book.append(draft);
}

async function flip(keeper: Keeper, record: Workspace): Promise<unknown> {
  if (record.body.deletedAt !== null) return undefined;
  return keeper.book.edit(levelEdit(record, pick(keeper.random, levels), atOf(keeper)));
}

async function touch(keeper: Keeper, record: Workspace): Promise<unknown> {
  const { now, limits } = atOf(keeper);
  const edit = touchEdit(record, now, limits);
  return edit === undefined ? undefined : keeper.book.edit(edit);
}

export async function recover({ book }: { book: Book }, record: Workspace): Promise<unknown> {
  return record.state === "error" ? book.edit(recoveryEdit(record)) : undefined;
}

async function remove(keeper: Keeper, record: Workspace): Promise<unknown> {
  if (chance(keeper.random, 0.5)) return undefined;
  return removeNow(keeper, record);
}

export async function removeNow(
  { book, clock }: { book: Book; clock: Clock },
  record: Workspace,
): Promise<unknown> {
  return book.edit(deletionEdit(record, Math.floor(clock.wall())));
}

async function runIn(keeper: Keeper, { body }: Workspace): Promise<unknown> {
  const { now } = atOf(keeper);
  const to = { target: "sim:a1", origin: null };
  const task = { name: placeName, in: body.name, input: {}, ...to, timeoutMs: 120_000, at: now };
  return keeper.book.append(makeTask(task));
}

async function schedule(keeper: Keeper, { body }: Workspace): Promise<unknown> {
  const { schedules, random, owner } = keeper;
  if (schedules.length >= schedulesMax) return undefined;
  keeper.asked += 1;
  const { now } = atOf(keeper);
  const everyMs = pick(random, [3, 5, 12]) * 60_000;
  const draft = makeSchedule(
    {
      name: `${keeper.name} ${keeper.asked}`,
      cadence: { type: "interval", everyMs, anchor: now },
      whenText: "then",
      run: { task: placeName, in: body.name, input: {} },
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
  const id = keeper.ids();
  schedules.push(id); // before it is known whether it was written
  return keeper.book.append({ ...draft, id });
}

const schedulesMax = 3;
