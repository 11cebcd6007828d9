import { columns } from "./columns.ts";
import { exits, type Command } from "./command.ts";
import type { AlwaysFacts } from "./examine-always.ts";
import type { WhenFacts } from "./examine-when.ts";
import { examine, type Check } from "./examine.ts";
import { paint } from "./paint.ts";
import { textsOf } from "./texts.ts";

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

export const doctor: Command = {
  name: "doctor",
  summary: "Look for what is wrong, and say what to do.",
  inputs: [],
  hasJson: true,
  async run({ json }, ports) {
    const { language } = await ports.reader();
    const checks = examine(await ports.facts(), language);
    ports.out(json ? JSON.stringify({ checks }) : sayChecks(checks, language, ports.color));
    return checks.some(({ level }) => level === "bad") ? exits.failed : exits.done;
  },
};

const colors = { ok: "green", warn: "yellow", bad: "red" } as const;

function sayChecks(
  checks: readonly Check[],
  language: Parameters<typeof textsOf>[0],
  color: boolean,
): string {
  const { levels, summary } = textsOf(language);
  const rows = columns(checks.map(({ level, name, text }) => [levels[level], name, text]));
  const lines = checks.map(({ level }, at) =>
    (rows[at] ?? "").replace(levels[level], (mark) => paint(color, colors[level], mark)),
  );
  const count = (request: Check["level"]): number =>
    checks.filter(({ level }) => level === request).length;
  return [...lines, "", summary({ warn: count("warn"), bad: count("bad") })].join("\n");
}
