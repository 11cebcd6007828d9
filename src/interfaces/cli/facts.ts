/** The files of other programs that a file store refused. */
export interface RefusedFiles {
  readonly files: number;
  /** The newest with its reason. */
  readonly newest: string | null;
}

/** The state of a daemon and its book, as far as this process can see; `status --json` prints it. */
export interface StatusFacts {
  /** Null when none runs. */
  readonly daemon: {
    readonly version: string;
    readonly pid: number;
    readonly url: string;
    readonly startedAt: number;
  } | null;
  /** The address of the store, without its secrets. */
  readonly store: string;
  readonly config: {
    readonly file: string | null;
    /** Why the daemon refused the last change of the settings. */
    readonly problem: string | null;
    /** True when only the schedules were refused, and the rest of the settings holds. */
    readonly isTakenUp: boolean;
    /** The changed keys that take effect at the daemon's next start. */
    readonly needsRestart: readonly string[];
  };
  /** The local workspaces that run although no daemon does. */
  readonly leftWorkspaces?: readonly string[];
  readonly book: BookFacts | { readonly problem: string } | { readonly isInDaemon: true };
  /** Only of a file store that refused one. */
  readonly refused?: RefusedFiles;
}

interface BookFacts {
  readonly now: number;
  readonly records: number;
  /** What is paused, if anything is. */
  readonly pauses?: readonly {
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

/** All that can be checked when the settings cannot be read. */
export interface FirstFacts {
  /** The version of this command. */
  readonly version: string;
  /** Such as `26.10.0`. */
  readonly nodeVersion: string;
  readonly config: {
    readonly file: string | null;
    readonly problem: string | null;
    readonly warnings: readonly string[];
  };
}

/**
 * The state of an installation: that of the daemon, if one answers, else that of this terminal. A check that fails to
 * run is a `problem`, not a throw.
 */
export interface DoctorFacts extends InstallationFacts {
  /** The version of this command. */
  readonly version: string;
  readonly daemon: {
    readonly url: string;
    readonly version: string | null;
    readonly problem: string | null;
  } | null;
  /** Null when there is none. */
  readonly tokenFile: { readonly path: string; readonly mode: number } | null;
  /** This terminal, beside a daemon; null when no daemon answers. */
  readonly terminal: TerminalFacts | null;
}

export interface TerminalFacts extends Omit<FirstFacts, "version"> {
  /** Why the daemon did not report its state, so that the other facts are of this terminal; null: they are the daemon's. */
  readonly unreported: string | null;
}

/** What a process that runs on the book knows of itself: a daemon reports it over HTTP. */
export interface InstallationFacts extends Omit<FirstFacts, "version"> {
  readonly home: { readonly path: string; readonly problem: string | null };
  readonly store: {
    readonly name: string;
    readonly isMemory: boolean;
    readonly problem: string | null;
    /** The store's clock; null when it could not be read. */
    readonly now: number | null;
  };
  readonly zone: { readonly name: string; readonly from: "setting" | "host" };
  /** The clock of its machine. */
  readonly now: number;
  /** The names of the configured channels. */
  readonly channels: readonly string[];
  readonly plugins: readonly PluginFacts[];
  readonly chats: readonly ChatFacts[];
  /** Private hosts that requests may go to. */
  readonly webhookAllow: readonly string[];
  /** The packages that the agent runner needs; null when none is configured. */
  readonly agent: { readonly missing: readonly string[] } | null;
  /** The names of due tasks that no runner here runs. */
  readonly unrunTasks: readonly string[];
  readonly events: EventFacts;
  readonly workspaces: WorkspaceFacts;
}

interface ChatFacts {
  readonly name: string;
  readonly missingPackages: readonly string[];
  /** Settings of which one is needed to receive its messages. */
  readonly missingSettings: readonly string[];
  /** Whether at least one person may use it. */
  readonly hasPeople: boolean;
  /** Why the service refuses our calls. */
  readonly problem: string | null;
}

interface PluginFacts {
  readonly name: string;
  readonly channels: readonly string[];
  /** Why it is off, and how to fix it. */
  readonly problem: string | null;
}

/** The state of handlers and of the sources of events. */
export interface EventFacts {
  readonly handlers: readonly HandlerFacts[];
  readonly sources: readonly SourceFacts[];
  /** Names of hooks. */
  readonly hooks: readonly string[];
  /** The address that hooks are reached at; null when it is not configured. */
  readonly publicUrl: string | null;
  /** Types of recent events that no handler handles. */
  readonly unhandled: readonly string[];
  /** Only of a file store that refused one. */
  readonly refused?: RefusedFiles;
}

interface SourceFacts {
  readonly name: string;
  /** Why its last poll failed. */
  readonly problem: string | null;
  /** The settings that it needs and lacks. */
  readonly missingSettings: readonly string[];
}

interface HandlerFacts {
  readonly name: string;
  /** Where its messages go when no chat started the event; null when not configured. */
  readonly target: string | null;
  /** Whether the channel of the target is configured. */
  readonly hasChannel: boolean;
}

/** The state of what workspaces are made of. */
export interface WorkspaceFacts {
  readonly machines: BackendFacts;
  readonly archives: BackendFacts;
  /** The target that is notified of workspaces in ERROR; null when not configured. */
  readonly administrator: string | null;
}

interface BackendFacts {
  /** `local`, `docker`, `dir`, `s3`. */
  readonly name: string;
  /** Its version or location, as it reported it. */
  readonly report: string | null;
  readonly problem: string | null;
}
