import type { Clock } from "./clock.ts";
import { DaybookError, messageOf } from "./errors.ts";

type Level = "debug" | "info" | "warn" | "error";
export type Fields = Readonly<Record<string, unknown>>;

/** One line per entry. Never throws, whatever the fields hold. */
export type Log = Readonly<Record<Level, (text: string, fields?: Fields) => void>>;

export interface LogOptions {
  /** Receives a complete line with its end. */
  write(line: string): void;
  clock: Pick<Clock, "wall">;
  /** The lowest level that is written. */
  level: Level;
  format: "json" | "pretty";
  color: boolean;
}

const colors: Readonly<Record<Level, number>> = { debug: 90, info: 36, warn: 33, error: 31 };
const levels: readonly string[] = Object.keys(colors);
const depthMax = 8;

export function log(options: LogOptions): Log {
  const lineOf = options.format === "json" ? jsonLine : prettyLine;
  const at =
    (level: Level) =>
    (text: string, fields: Fields = {}): void => {
      if (levels.indexOf(level) < levels.indexOf(options.level)) return;
      try {
        const time = new Date(options.clock.wall()).toJSON() ?? "no time";
        const shown = plain(fields);
        const parts = isFields(shown) ? shown : { fields: shown };
        options.write(`${lineOf({ time, level, text }, parts, options.color)}\n`);
      } catch {
        // A failing log must not stop the work that it describes.
      }
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

interface Head {
  time: string;
  level: Level;
  text: string;
}

function jsonLine(head: Head, fields: Fields): string {
  // Twice: the head comes first, and no field overwrites it.
  return escape(JSON.stringify({ ...head, ...fields, ...head }));
}

function prettyLine({ time, level, text }: Head, fields: Fields, color: boolean): string {
  const name = level.toUpperCase().padEnd(5);
  const shown = Object.entries(fields).map(([key, value]) => ` ${word(key)}=${word(value)}`);
  const label = color ? `\u001B[${colors[level]}m${name}\u001B[0m` : name;
  return `${time.slice(11)} ${label} ${escape(text + shown.join(""))}`;
}

function word(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/** No character of an entry may end its line, move a cursor or turn the reading direction. */
function escape(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    // In surrogate halves, as JSON escapes astral characters.
    Array.from({ length: char.length }, (_, at) => {
      return `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The value, changed so that JSON can represent it. */
function plain(value: unknown, within: readonly unknown[] = []): unknown {
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (within.includes(value)) return "[cyclic]";
  if (within.length === depthMax) return "[deep]";
  try {
    return plainObject(value, [...within, value]);
  } catch {
    return "[unreadable]";
  }
}

function plainObject(value: object, within: readonly unknown[]): unknown {
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((each) => plain(each, within));
  if ("toJSON" in value && typeof value.toJSON === "function") return plain(value.toJSON(), within);
  const parts = value instanceof Error ? partsOf(value) : Object.entries(value);
  return Object.fromEntries(parts.map(([name, part]) => [name, plain(part, within)]));
}

/** A DaybookError is shown by its code; any other error needs its stack. */
function partsOf(error: Error): [string, unknown][] {
  const stack = error instanceof DaybookError ? undefined : error.stack;
  const named = { name: error.name, message: messageOf(error) };
  return [...Object.entries({ ...named, stack, cause: error.cause }), ...Object.entries(error)];
}

/** A log whose debug lines are limited to these names: a line's first word, its kind or its queue. */
export function debugOf(log: Log, names: readonly string[]): Log {
  const isAbout = (text: string, { kind, queue }: Fields): boolean => {
    const about = [text.split(" ", 1)[0], kind, queue];
    return names.some((name) => name === "*" || about.includes(name));
  };
  return {
    ...log,
    debug: (text, fields = {}) => void (isAbout(text, fields) && log.debug(text, fields)),
  };
}

/** A log whose target may change from one line to the next. */
export function following(current: () => Log): Log {
  const at =
    (level: Level): Log[Level] =>
    (text, fields) =>
      current()[level](text, fields);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
