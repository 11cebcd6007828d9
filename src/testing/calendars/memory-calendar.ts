import type {
  CalendarConnector,
  CalendarService,
  ConnectedType,
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
  const store = memoryStore();
  const { entries, write } = store;
  const named = (remoteId: string): Stored & { content: EntryContent } => {
    const { content = null, ...found } = entries.get(remoteId) ?? {};
    if (content === null) throw new Error(`there is no entry ${remoteId}`);
    return { ...(found as Stored), content };
  };
  const calendar: MemoryCalendar = {
    isGone: false,
    writes: 0,
    service: {
      changes: async (...given) => memoryService(store, calendar).changes(...given),
      put: async (...given) => memoryService(store, calendar).put(...given),
      remove: async (...given) => memoryService(store, calendar).remove(...given),
    },
    list: () => [...entries.values()].filter(({ content }) => content !== null).map(shown),
    add(content, busy) {
      const remoteId = `/foreign-${entries.size + 1}`;
      write({ id: null, remoteId, content, ...(busy && { busy }) });
      return remoteId;
    },
    change(remoteId, change) {
      const found = named(remoteId);
      write({ ...found, content: { ...found.content, ...change } });
    },
    remove: (remoteId) => void write({ ...named(remoteId), content: null }),
    forgetTokens() {
      store.version += 1;
      store.firstToken = store.version;
    },
  };
  return calendar;
}

interface MemoryStore {
  readonly entries: Map<string, Stored>;
  version: number;
  firstToken: number;
  write(entry: Omit<Stored, "version">): Stored;
}

function memoryStore(): MemoryStore {
  const store: MemoryStore = {
    entries: new Map(),
    version: 0,
    firstToken: 0,
    write(entry) {
      store.version += 1;
      const stored = { ...entry, version: store.version };
      store.entries.set(entry.remoteId, stored);
      return stored;
    },
  };
  return store;
}

function shown({ id, remoteId, version, content, busy }: Stored): RemoteEntry {
  const location = { remoteId, etag: `v${version}` };
  return { id, location, content, ...(busy && { busy }) };
}

function memoryService(store: MemoryStore, calendar: MemoryCalendar): CalendarService {
  const { entries, write } = store;
  if (calendar.isGone) throw new DaybookError("not_found", "The calendar does not exist any more.");
  const ours = (id: string): Stored | undefined =>
    [...entries.values()].find((entry) => entry.id === id && entry.content !== null);
  return {
    async changes(token) {
      const since = token === null ? NaN : Number(token);
      const isComplete = !(since >= store.firstToken);
      const all = [...entries.values()].filter((entry) =>
        isComplete ? entry.content !== null : entry.version > since,
      );
      return { token: String(store.version), isComplete, entries: all.map(shown) };
    },
    async put({ id, content, known }) {
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
      const found = known === null ? ours(id) : entries.get(known.remoteId);
      if (found?.content == null) return { result: "removed" };
      if (known !== null && known.etag !== `v${found.version}`) {
        return { result: "changed", entry: shown(found) };
      }
      calendar.writes += 1;
      write({ ...found, content: null });
      return { result: "removed" };
    },
  };
}

/** The account of a calendar in memory; nothing of it is read. */
export const memoryAccount = {
  type: "caldav",
  url: "https://calendar.example/",
  collection: "https://calendar.example/mina/",
  username: "mina",
  password: { env: "CALENDAR_PASSWORD" },
} as const;

export function memoryConnector<Type extends ConnectedType = ConnectedType>(
  calendar: MemoryCalendar,
  options: Pick<CalendarConnector, "mirrorsRecords"> = {},
): CalendarConnector<Type> {
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
