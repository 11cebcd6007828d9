import type { Fact } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { type FileIndex, fingerprintOf } from "./file-index.ts";
import { type Layouts, heartbeatPath, layoutAt, pathOf, resultPath } from "./layouts.ts";
import { moveRecord, removeShown, resultFileOf, textOf, writeShown } from "./record-file.ts";
import type { OnStep } from "./step.ts";

export interface Projector {
  /** Shows what was committed, soon. */
  show(facts: readonly Fact[]): void;
  /** Shows all that is left to show, now. */
  flush(): void;
  /** Whether what was committed of a record is not shown yet. */
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
 * Shows each record as a file in the folder of its state. Nothing is read back from there, and a
 * start repairs what differs: so it runs behind the commits, without waiting for the disk, and a
 * failure costs nobody an answer. A burst is not slowed by it, and a record that is claimed and ended
 * at once is written once.
 */
export function projector(folder: Folder): Projector {
  /** Rows as they were committed, null when forgotten. Never the model's: it may be ahead of the disk. */
  const waiting = new Map<string, Row | null>();
  /** Those that could not be shown, as when the disk is full: they are tried again with the next. */
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
  const tryAgain = (): void => {
    for (const [id, row] of failed) if (!waiting.has(id)) waiting.set(id, row);
    failed.clear();
  };
  return {
    show(facts) {
      for (const fact of facts) {
        if (fact.what === "row") waiting.set(fact.row.id, fact.row);
        if (fact.what === "gone") waiting.set(fact.id, null);
      }
      tryAgain();
      if (waiting.size > 0) steps.touch();
    },
    flush() {
      tryAgain();
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
    forget(folder, id, before);
    return;
  }
  // Who finds the file of a record that has ended finds its result.
  const result = resultFileOf(layouts, row);
  if (result !== undefined) {
    const stat = writeShown(root, result.path, result.text);
    index.results.set(result.path, fingerprintOf(stat));
    onStep("result shown");
  }
  const after = pathOf(layouts, row);
  if (before !== undefined && before !== after) {
    moveRecord(root, before, after);
    index.set(id, after);
    onStep("moved");
  }
  writeShown(root, after, textOf(layouts, row));
  index.set(id, after);
}

/** Removes the files of a record that was pruned. */
function forget({ root, layouts, index }: Folder, id: string, path: string | undefined): void {
  if (path !== undefined) {
    const files = layoutAt(layouts, path)?.worker;
    const beside = files === undefined ? [] : [resultPath(files, id), heartbeatPath(files, id)];
    for (const each of [...beside, path]) removeShown(root, each);
  }
  for (const { worker } of layouts.byKind.values()) {
    if (worker !== undefined) index.results.delete(resultPath(worker, id));
  }
  index.delete(id);
}

/** Steps that wait until calls have ceased. */
interface Debounced {
  /** There is something to do, and it is not quiet. */
  touch(): void;
  close(): void;
}

const quietMs = 20;
const lagMsMax = 1000;

/**
 * Takes steps until one says that it was the last, when nobody touched for a moment, or after a second
 * all the same. One step in each turn of the event loop, so that nobody waits for more than one.
 */
function debounced(step: () => "more" | "done"): Debounced {
  let touchedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: NodeJS.Immediate | undefined;

  const run = (): void => {
    running = step() === "more" ? setImmediate(run) : undefined;
  };
  const look = (sinceAt: number): void => {
    const now = performance.now();
    const isTime = now - touchedAt >= quietMs || now - sinceAt >= lagMsMax;
    timer = isTime ? undefined : setTimeout(look, quietMs, sinceAt);
    if (isTime) run();
  };
  return {
    touch() {
      touchedAt = performance.now();
      if (running === undefined) timer ??= setTimeout(look, quietMs, touchedAt);
    },
    close() {
      clearTimeout(timer);
      clearImmediate(running);
    },
  };
}
