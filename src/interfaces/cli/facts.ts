/** How it goes, as far as can be seen from here. */
export interface StatusFacts {
  /** Null: none runs here. */
  readonly daemon: {
    readonly version: string;
    readonly pid: number;
    readonly url: string;
    readonly startedAt: number;
  } | null;
  /** Where the book is, without the secrets of its address. */
  readonly store: string;
  readonly config: {
    readonly file: string | null;
    /** What the daemon found wrong with the settings when they changed last. */
    readonly problem: string | null;
    /** They hold all the same: what is wrong is of schedules alone. */
    readonly isTakenUp: boolean;
    /** What changed and takes effect at the daemon's next start. */
    readonly needsRestart: readonly string[];
  };
  readonly book: BookFacts | { readonly problem: string } | { readonly isInDaemon: true };
}

interface BookFacts {
  readonly now: number;
  readonly records: number;
  /** What is paused, if anything is. */
  readonly resting?: readonly {
    readonly scope: string;
    readonly until: number | null;
    readonly reason: string | null;
  }[];
  readonly queues: readonly {
    readonly queue: string;
    readonly due: number;
    readonly later: number;
    readonly leased: number;
    readonly oldestWakeAt: number | null;
  }[];
}

/** What can be seen when the settings are wrong: nobody knows where the rest would be. */
export interface FirstFacts {
  /** This command's. */
  readonly version: string;
  /** Such as `26.10.0`. */
  readonly nodeVersion: string;
  readonly config: {
    readonly file: string | null;
    readonly problem: string | null;
    readonly warnings: readonly string[];
  };
}

/** What can be seen of an installation. Whatever cannot be found out is a `problem`, not a throw. */
export interface DoctorFacts extends FirstFacts {
  readonly home: { readonly path: string; readonly problem: string | null };
  readonly store: {
    readonly name: string;
    readonly isMemory: boolean;
    readonly problem: string | null;
    /** The store's own clock; null when it could not be asked. */
    readonly now: number | null;
  };
  readonly zone: { readonly name: string; readonly from: "setting" | "host" };
  /** This machine's clock. */
  readonly now: number;
  readonly daemon: {
    readonly url: string;
    readonly version: string | null;
    readonly problem: string | null;
  } | null;
  /** Null: there is none. */
  readonly tokenFile: { readonly path: string; readonly mode: number } | null;
  /** The channels that are set up, by name. */
  readonly channels: readonly string[];
  readonly plugins: readonly PluginFacts[];
  readonly chats: readonly ChatFacts[];
  /** Hosts that may be asked although they are private. */
  readonly webhookAllow: readonly string[];
  /** The packages that an agent lacks; null: none is set up. */
  readonly agent: { readonly missing: readonly string[] } | null;
  /** Tasks that are due, and that nobody here runs, by name. */
  readonly unrun: readonly string[];
  readonly when: WhenFacts;
  readonly always: AlwaysFacts;
}

interface ChatFacts {
  readonly name: string;
  /** The packages that it lacks. */
  readonly missing: readonly string[];
  /** The settings of which one is missing for it to be heard. */
  readonly wants: readonly string[];
  /** Whether anybody may speak there. */
  readonly hasPeople: boolean;
  /** Why the service does not know us. */
  readonly problem: string | null;
}

interface PluginFacts {
  readonly name: string;
  readonly channels: readonly string[];
  /** Why it is off, and what to do. */
  readonly problem: string | null;
}

/** What can be seen of handlers, and of where things are heard. */
export interface WhenFacts {
  readonly handlers: readonly HandlerFacts[];
  readonly sources: readonly SourceFacts[];
  /** By name. */
  readonly hooks: readonly string[];
  /** Where hooks are reached; null: nobody said. */
  readonly publicUrl: string | null;
  /** Types of what happened lately, for which nobody has anything to do. */
  readonly unhandled: readonly string[];
}

interface SourceFacts {
  readonly name: string;
  /** Why it is not heard, as it was last asked. */
  readonly problem: string | null;
  /** The settings that are missing for it. */
  readonly wants: readonly string[];
}

interface HandlerFacts {
  readonly name: string;
  /** Where its work speaks that no chat asked for; null: nobody said. */
  readonly target: string | null;
  /** Whether something here can say it there. */
  readonly isHeard: boolean;
}

/** What can be seen of where workspaces live. */
export interface AlwaysFacts {
  readonly machines: Reached;
  readonly archives: Reached;
  /** Where who looks after the machines hears of what goes wrong; null: nobody said. */
  readonly administrator: string | null;
}

interface Reached {
  /** `local`, `docker`, `dir`, `s3`. */
  readonly name: string;
  /** What it said of itself; why it cannot be used. */
  readonly said: string | null;
  readonly problem: string | null;
}
