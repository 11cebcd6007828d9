import type { Fact } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { type FileIndex, fingerprintOf } from "./file-index.ts";
import {
  type Layouts,
  heartbeatPath,
  isDropPath,
  layoutAt,
  pathOf,
  resultPath,
} from "./layouts.ts";
import { moveRecord, removeShown, resultFileOf, textOf, writeShown } from "./record-file.ts";
import type { OnStep } from "./step.ts";

export interface Projector {
  /** Writes the files of committed rows, soon. */
  show(facts: readonly Fact[]): void;
  /** Writes all files that are left, now. */
  flush(): void;
  /** Whether the newest commit of a record is not in its file yet. */
  isBehind(id: string): boolean;
  close(): void;
}

interface Folder {
  readonly root: string;
  readonly layouts: Layouts;
  readonly index: FileIndex;
  readonly onStep: OnStep;
}

/**
 * Writes each record as a file in the folder of its state. The store never reads these files back, and a start
 * repairs those that differ: so the projector runs after the commits, without waiting for the disk, and its failures
 * delay no answer. It waits for the end of a burst, and a record that is claimed and ended in one is written once.
 */
export function projector(folder: Folder): Projector {
  /** Committed rows, null when pruned. Never the model's rows: the model may be ahead of the disk. */
  const waiting = new Map<string, Row | null>();
  /** Rows whose files could not be written, as on a full disk. They are retried with the next rows. */
  const failed = new Map<string, Row | null>();

  const showNext = (): "more" | "done" => {
    const [next] = waiting;
    if (next === undefined) return "done";
    waiting.delete(next[0]);
    try {
      showOne(folder, ...next);
    } catch {
      failed.set(...next);
    }
    folder.onStep("projected");
    return waiting.size > 0 ? "more" : "done";
  };
  const steps = debounced(showNext);
  const retryFailed = (): void => {
    for (const [id, row] of failed) if (!waiting.has(id)) waiting.set(id, row);
    failed.clear();
  };
  return {
    show(facts) {
      for (const fact of facts) {
        if (fact.what === "row") waiting.set(fact.row.id, fact.row);
        if (fact.what === "gone") waiting.set(fact.id, null);
      }
      retryFailed();
      if (waiting.size > 0) steps.touch();
    },
    flush() {
      retryFailed();
      while (showNext() === "more");
    },
    isBehind: (id) => waiting.has(id) || failed.has(id),
    close: steps.close,
  };
}

function showOne(folder: Folder, id: string, row: Row | null): void {
  const { root, layouts, index, onStep } = folder;
  const before = index.pathOf(id);
  if (row === null) {
    removeFiles(folder, id, before);
    return;
  }
  // The result comes first: a program that finds an ended record's file must find its result.
  const result = resultFileOf(layouts, row);
  if (result !== undefined) {
    const stat = writeShown(root, result.path, result.text);
    index.written.set(result.path, fingerprintOf(stat));
    onStep("result shown");
  }
  const after = pathOf(layouts, row);
  if (before !== undefined && before !== after) {
    moveRecord(root, before, after);
    index.set(id, after);
    onStep("moved");
  }
  const stat = writeShown(root, after, textOf(layouts, row));
  index.set(id, after);
  if (isDropPath(layouts, after)) index.written.set(after, fingerprintOf(stat));
}

/** Removes the files of a record that was pruned. */
function removeFiles({ root, layouts, index }: Folder, id: string, path: string | undefined): void {
  if (path !== undefined) {
    const files = layoutAt(layouts, path)?.worker;
    const beside =
      files === undefined
        ? []
        : [resultPath(layouts, files, id), heartbeatPath(layouts, files, id)];
    for (const each of [...beside, path]) removeShown(root, each);
  }
  for (const { worker } of layouts.byKind.values()) {
    if (worker !== undefined) index.written.delete(resultPath(layouts, worker, id));
  }
  index.delete(id);
}

/** Steps that wait until calls have stopped for a moment. */
interface Debounced {
  /** Schedules the steps, or delays them. */
  touch(): void;
  close(): void;
}

const quietMs = 20;
const lagMsMax = 1000;

/**
 * Runs steps until one answers `done`, when there was no touch for a moment, or after a second anyway. One step in
 * each turn of the event loop, so that other work waits for one at most.
 */
function debounced(step: () => "more" | "done"): Debounced {
  let touchedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: NodeJS.Immediate | undefined;

  const run = (): void => {
    running = step() === "more" ? setImmediate(run) : undefined;
  };
  const check = (sinceAt: number): void => {
    const now = performance.now();
    const isDue = now - touchedAt >= quietMs || now - sinceAt >= lagMsMax;
    timer = isDue ? undefined : setTimeout(check, quietMs, sinceAt);
    if (isDue) run();
  };
  return {
    touch() {
      touchedAt = performance.now();
      if (running === undefined) timer ??= setTimeout(check, quietMs, touchedAt);
    },
    close() {
      clearTimeout(timer);
      clearImmediate(running);
    },
  };
}
