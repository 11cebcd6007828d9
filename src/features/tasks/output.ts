import type { Clock } from "../../platform/clock.ts";
import { markerReader } from "./notify-marker.ts";
import type { RunOutput } from "./outcome.ts";
import type { RunContext } from "./runner.ts";

interface OutputOptions {
  clock: Clock;
  /** What exceeds this is dropped, and a line says so. */
  bytesMax: number;
  /** Written before the first of it. */
  heading: string;
  /** Takes the marker off its beginning, and looks for a choice. */
  readsMarker: boolean;
  /** Bytes that earlier attempts wrote. */
  before: number;
  send(bytes: Uint8Array): Promise<void>;
}

/** The output of one attempt, on its way to the ledger. */
export interface Output {
  write: RunContext["write"];
  isEmpty(): boolean;
  /** Everything is durable when it resolves; what is written from now on is dropped. */
  end(): Promise<RunOutput>;
}

const chunkBytesMax = 64 * 1024;
const flushMs = 250;
/** More than a message or a summary shows. */
const textUnitsMax = 24_000;

export function outputOf(options: OutputOptions): Output {
  const { clock, bytesMax } = options;
  const queue = chunks();
  const marker = options.readsMarker ? markerReader(textUnitsMax) : undefined;
  let text = "";
  // Of a character whose other half comes with the next text.
  const half = { output: "", errors: "" };
  let [accepted, sent] = [0, 0];
  let [isCut, isOver, isBroken] = [false, false, false];
  let cancelTimer: (() => void) | undefined;
  let flushing = Promise.resolve();

  const sendAll = async (): Promise<void> => {
    while (!isBroken) {
      const bytes = queue.take();
      if (bytes.length === 0) return;
      try {
        await options.send(bytes);
        sent += bytes.length;
      } catch {
        isBroken = true; // it ran all the same: its record says that the output is not whole
      }
    }
  };
  const flush = (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    flushing = flushing.then(sendAll);
    return flushing;
  };
  const accept = (more: string): void => {
    if (more === "" || isCut) return;
    if (accepted === 0) queue.add(encode(options.heading));
    if (text.length < textUnitsMax) text += more.slice(0, textUnitsMax - text.length);
    const bytes = encode(more);
    const fits = wholeCharacters(bytes, bytesMax - accepted);
    accepted += fits.length;
    queue.add(fits);
    isCut = fits.length < bytes.length;
    if (isCut) queue.add(encode(`\n--- output cut at ${bytesMax} bytes ---\n`));
    if (queue.size() >= chunkBytesMax) void flush();
    else cancelTimer ??= clock.after(flushMs, () => void flush());
  };
  return {
    write(more, stream = "output") {
      if (isOver) return;
      const whole = `${half[stream]}${more}`;
      half[stream] = /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : "";
      const ready = half[stream] === "" ? whole : whole.slice(0, -1);
      accept(marker === undefined || stream === "errors" ? ready : marker.pass(ready));
    },
    isEmpty: () => accepted === 0,
    async end() {
      isOver = true;
      accept(`${marker?.rest() ?? ""}${half.output}`);
      accept(half.errors);
      [half.output, half.errors] = ["", ""];
      await flush();
      const bytes = options.before + sent;
      const found = marker?.result() ?? { isMarked: false };
      return { bytes, isCut: isCut || isBroken, ...found, text };
    },
  };
}

const encoder = new TextEncoder();

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** As many bytes as fit, and no part of a character. */
function wholeCharacters(bytes: Uint8Array, bytesMax: number): Uint8Array {
  if (bytes.length <= bytesMax) return bytes;
  let end = Math.max(bytesMax, 0);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** Bytes that wait to be sent, taken in chunks that are not too large. */
function chunks(): { add(bytes: Uint8Array): void; take(): Uint8Array; size(): number } {
  let waiting: Uint8Array[] = [];
  let size = 0;
  return {
    size: () => size,
    add(bytes) {
      waiting.push(bytes);
      size += bytes.length;
    },
    take() {
      const whole = Buffer.concat(waiting);
      const rest = whole.subarray(chunkBytesMax);
      waiting = rest.length > 0 ? [rest] : [];
      size = rest.length;
      return whole.subarray(0, chunkBytesMax);
    },
  };
}
