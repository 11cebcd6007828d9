import type {
  CalendarConnector,
  CalendarService,
  EntryContent,
  RemoteEntry,
  Span,
} from "../../features/calendars/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { CalendarRig, RigCalendar } from "./rig.ts";

/** One calendar in memory: a service that forgets nothing, with versions, tokens and entries of other people. */
export interface MemoryCalendar {
  readonly service: CalendarService;
  /** Everything that is there. */
  list(): readonly RemoteEntry[];
  add(content: EntryContent, busy?: readonly Span[]): string;
  change(remoteId: string, change: { title?: string; at?: number }): void;
  remove(remoteId: string): void;
  /** All tokens are forgotten. */
  forgetTokens(): void;
  /** It does not exist any more. */
  isGone: boolean;
  /** How many writes were done. */
  writes: number;
}

interface Stored {
  readonly id: string | null;
  readonly remoteId: string;
  readonly version: number;
  /** Null: deleted. */
  readonly content: EntryContent | null;
  readonly busy?: readonly Span[];
}

export function memoryCalendar(): MemoryCalendar {
  const entries = new Map<string, Stored>();
  let version = 0;
  let firstToken = 0;
  const write = (entry: Omit<Stored, "version">): Stored => {
    version += 1;
    const stored = { ...entry, version };
    entries.set(entry.remoteId, stored);
    return stored;
  };
  const shown = ({ id, remoteId, version: at, content, busy }: Stored): RemoteEntry => ({
    id,
    location: { remoteId, etag: `v${at}` },
    content,
    ...(busy && { busy }),
  });
  const named = (remoteId: string): Stored => {
    const found = entries.get(remoteId);
    if (found?.content == null) throw new Error(`there is no entry ${remoteId}`);
    return found;
  };
  const ours = (id: string): Stored | undefined =>
    [...entries.values()].find((entry) => entry.id === id && entry.content !== null);
  const check = (): void => {
    if (calendar.isGone)
      throw new DaybookError("not_found", "The calendar does not exist any more.");
  };
  const service: CalendarService = {
    async changes(token) {
      check();
      const since = token === null ? NaN : Number(token);
      const isComplete = !(since >= firstToken);
      const all = [...entries.values()].filter((entry) =>
        isComplete ? entry.content !== null : entry.version > since,
      );
      return { token: String(version), isComplete, entries: all.map(shown) };
    },
    async put({ id, content, known }) {
      check();
      const found = known === null ? ours(id) : (entries.get(known.remoteId) ?? ours(id));
      const there = found?.content == null ? undefined : found;
      if (there !== undefined && known?.etag !== `v${there.version}`) {
        return { result: "changed", entry: shown(there) };
      }
      calendar.writes += 1;
      const remoteId = there?.remoteId ?? `/${id}`;
      return { result: "written", location: shown(write({ id, remoteId, content })).location };
    },
    async remove({ id, known }) {
      check();
      const found = ours(id);
      if (found === undefined) return { result: "removed" };
      if (known !== null && known.etag !== `v${found.version}`) {
        return { result: "changed", entry: shown(found) };
      }
      calendar.writes += 1;
      write({ ...found, content: null });
      return { result: "removed" };
    },
  };
  const calendar: MemoryCalendar = {
    service,
    isGone: false,
    writes: 0,
    list: () => [...entries.values()].filter(({ content }) => content !== null).map(shown),
    add(content, busy) {
      const remoteId = `/foreign-${entries.size + 1}`;
      write({ id: null, remoteId, content, ...(busy && { busy }) });
      return remoteId;
    },
    change(remoteId, change) {
      const found = named(remoteId);
      write({ ...found, content: { ...(found.content as EntryContent), ...change } });
    },
    remove(remoteId) {
      write({ ...named(remoteId), content: null });
    },
    forgetTokens() {
      version += 1;
      firstToken = version;
    },
  };
  return calendar;
}

/** The account of a calendar in memory; nothing of it is read. */
export const memoryAccount = {
  type: "caldav",
  url: "https://calendar.example/",
  collection: "https://calendar.example/mina/",
  username: "mina",
  password: { env: "CALENDAR_PASSWORD" },
} as const;

export function memoryConnector(
  calendar: MemoryCalendar,
  options: Pick<CalendarConnector, "mirrorsRecords"> = {},
): CalendarConnector {
  return { ...options, resolve: async (account) => account, open: () => calendar.service };
}

/** Calendars in memory for the suite. */
export function memoryRig(options: Pick<CalendarConnector, "mirrorsRecords"> = {}): CalendarRig {
  return {
    name: "memory",
    async make(): Promise<RigCalendar> {
      const calendar = memoryCalendar();
      return {
        account: memoryAccount,
        connector: memoryConnector(calendar, options),
        list: async () => calendar.list(),
        add: async (content) => calendar.add(content),
        change: async (remoteId, change) => calendar.change(remoteId, change),
        remove: async (remoteId) => calendar.remove(remoteId),
        forgetTokens: async () => calendar.forgetTokens(),
        writes: () => calendar.writes,
      };
    },
  };
}
