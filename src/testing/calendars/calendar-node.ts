import { calendarController } from "../../features/calendars/controller.ts";
import {
  type Account,
  type CalendarConnector,
  type CalendarKind,
  calendarKind,
} from "../../features/calendars/index.ts";
import { runAttempt } from "../../kernel/attempt.ts";
import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { Events } from "../../kernel/events.ts";
import { is } from "../../kernel/kind.ts";
import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import { systemClock } from "../../platform/clock.ts";
import { bus } from "../../platform/event-bus.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { directly, memoryEngine } from "../../stores/memory/memory.ts";

export const owner = "mina";
const startsAt = Date.UTC(2026, 10, 20, 9);
const leaseMs = 60_000;

type Attempted = "settled" | "unchanged" | "killed";

/** A book and a node for its calendar: each attempt is run by hand, against a real service. Its time stands still between attempts. */
export interface CalendarNode {
  readonly ledger: Ledger;
  readonly book: Book;
  now(): number;
  advance(ms: number): void;
  /** One attempt of the controller. `killed`: the node died before it could settle. */
  attempt(): Promise<Attempted>;
  /** Attempts until nothing is to be done. */
  converge(): Promise<void>;
  /** Whether the node has died in this attempt: then it settles nothing. */
  isKilled: () => boolean;
  calendar(): Promise<LedgerRecord<CalendarKind>>;
  /** Edits the calendar's request. */
  edit(change: Partial<CalendarKind["body"]>): Promise<void>;
}

export const plainBody: Omit<CalendarKind["body"], "account"> = {
  name: "Mine",
  shows: [],
  ended: "remove",
  editsFlowBack: false,
  isBusy: false,
  entries: { minutes: 30 },
  asked: 0,
};

const profile: Profile = {
  zone: "Asia/Seoul",
  zoneFrom: "profile",
  language: "en",
  home: null,
  quiet: null,
};

/** More attempts than any test needs to converge. */
const attemptsMax = 300;

interface NodeOptions {
  readonly account: Account;
  readonly connector: CalendarConnector;
  readonly body?: Partial<CalendarKind["body"]>;
  readonly seed?: number;
}

export async function calendarNode(options: NodeOptions): Promise<CalendarNode> {
  let now = startsAt;
  const random = seededRandom(options.seed ?? 1);
  const clock = { ...systemClock(), wall: () => now };
  const ledger = ledgerOver(directly(memoryEngine({ now: () => now, ids: ids(clock, random) })));
  const book = ledger.of(owner, owner);
  const { account, connector } = options;
  const controller = calendarController({
    ledger,
    clock,
    connectors: () => ({ [account.type]: connector }),
    profile: async () => profile,
    pollMs: () => 60_000,
    watchMs: 0,
  });
  const { id } = await book.append<CalendarKind>({
    kind: "calendar",
    body: { ...plainBody, ...options.body, account },
    state: "active",
    wakeAt: now,
  });
  const calendar = async (): Promise<LedgerRecord<CalendarKind>> => {
    const record = await book.get(id);
    if (!is(calendarKind, record)) throw new Error("the calendar is lost");
    return record;
  };
  const claimed = async (): Promise<Claimed<CalendarKind>> => {
    const request = { kind: calendarKind, holder: "n1", leaseMs, limit: 1 };
    let claim = await ledger.work.claim(request);
    if (claim.records.length === 0 && claim.nextWakeAt !== null) {
      now = Math.max(now, claim.nextWakeAt);
      claim = await ledger.work.claim(request);
    }
    const [record] = claim.records;
    if (record === undefined) throw new Error("the calendar is not due");
    return record;
  };
  const node: CalendarNode = {
    ledger,
    book,
    now: () => now,
    advance: (ms) => void (now += ms),
    async attempt() {
      const record = await claimed();
      const answer = await attemptAt({ controller, record, node });
      if (answer === "killed") now += leaseMs;
      return answer;
    },
    async converge() {
      for (let count = 0; count < attemptsMax; count += 1) {
        if ((await node.attempt()) === "unchanged") return;
      }
      throw new Error(`it does not converge: ${JSON.stringify((await calendar()).outcome)}`);
    },
    isKilled: () => false,
    calendar,
    async edit(change) {
      const body = { ...(await calendar()).body, ...change };
      await book.edit<CalendarKind>({ kind: "calendar", id, body, wakeAt: now });
    },
  };
  return node;
}

interface AttemptOptions {
  readonly controller: ReturnType<typeof calendarController>;
  readonly record: Claimed<CalendarKind>;
  readonly node: CalendarNode;
}

/** One attempt as the runtime makes it; a dead node settles nothing. */
async function attemptAt({ controller, record, node }: AttemptOptions): Promise<Attempted> {
  let answer = "settled" as Attempted;
  await runAttempt({
    controller,
    record,
    handle: {
      signal: new AbortController().signal,
      isTrusted: () => true,
      save: () => Promise.reject(new Error("nothing is saved")),
      write: () => Promise.reject(new Error("nothing is written")),
    },
    batcher: {
      async settle(unit) {
        if (node.isKilled()) {
          answer = "killed";
          return { result: "stale" };
        }
        if ("unstarted" in unit) answer = "unchanged";
        const [settled] = await node.ledger.work.settle([unit]);
        return settled ?? { result: "stale" };
      },
    },
    events: bus<Events>(),
    facts: () => ({ now: node.now(), jitter: 0.5 }),
    servedFrom: 0,
  });
  return answer;
}
