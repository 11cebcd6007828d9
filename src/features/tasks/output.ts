import type { Clock } from "../../platform/clock.ts";
import { markerReader } from "./notify-marker.ts";
import type { RunOutput } from "./outcome.ts";
import type { RunContext } from "./runner.ts";

interface OutputOptions {
  clock: Clock;
  /** Output beyond this is dropped, and a line marks the cut. */
  bytesMax: number;
  /** Written before the first output. */
  heading: string;
  /** Removes the marker from the start, and reads the decision of the run. */
  readsMarker: boolean;
  /** The bytes of earlier attempts. */
  before: number;
  send(bytes: Uint8Array): Promise<void>;
}

/** Streams the output of one attempt to the ledger. */
export interface Output {
  write: RunContext["write"];
  isEmpty(): boolean;
  /** All output is durable when it resolves. Later output is dropped. */
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
  // The first half of a character whose other half comes with the next text.
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
        isBroken = true; // the run goes on, and its record shows that the output is incomplete
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
      const joined = `${half[stream]}${more}`;
      half[stream] = /[\uD800-\uDBFF]$/.test(joined) ? joined.slice(-1) : "";
      const ready = half[stream] === "" ? joined : joined.slice(0, -1);
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

/** As many bytes as fit, without a part of a character at the end. */
function wholeCharacters(bytes: Uint8Array, bytesMax: number): Uint8Array {
  if (bytes.length <= bytesMax) return bytes;
  let end = Math.max(bytesMax, 0);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** A queue of bytes, taken in chunks of limited size. */
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
      const bytes = Buffer.concat(waiting);
      const rest = bytes.subarray(chunkBytesMax);
      waiting = rest.length > 0 ? [rest] : [];
      size = rest.length;
      return bytes.subarray(0, chunkBytesMax);
    },
  };
}
