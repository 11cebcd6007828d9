import type { Fact } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { whenQuiet } from "./debounce.ts";
import type { Shown } from "./file-index.ts";
import { sealOf } from "./fingerprint.ts";
import { heartbeatPlace, resultPlace } from "./layouts.ts";
import {
  moveRecord,
  placeOfRow,
  removeShown,
  resultTextOf,
  textOf,
  writeShown,
} from "./record-file.ts";
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

type Show = (id: string, row: Row | null) => void;

/**
 * Shows each record as a file in the folder of its state. Nothing is read back from there, and a
 * start repairs what differs: so it runs behind the commits, without waiting for the disk, and a
 * failure costs nobody an answer. A burst is not slowed by it, and a record that is claimed and ended
 * at once is written once.
 */
export function projector(root: string, shown: Shown, onStep: OnStep): Projector {
  /** Rows as they were committed, null when forgotten. Never the model's: it may be ahead of the disk. */
  const waiting = new Map<string, Row | null>();
  /** Those that could not be shown, as when the disk is full: they are tried again with the next. */
  const failed = new Map<string, Row | null>();
  const showOne = showing(root, shown, onStep);

  const showNext = (): "more" | "done" => {
    const [next] = waiting;
    if (next === undefined) return "done";
    waiting.delete(next[0]);
    try {
      showOne(...next);
    } catch {
      failed.set(...next);
    }
    onStep("projected");
    return waiting.size > 0 ? "more" : "done";
  };
  const quiet = whenQuiet(showNext);
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
      if (waiting.size > 0) quiet.touch();
    },
    flush() {
      tryAgain();
      while (showNext() === "more");
    },
    isBehind: (id) => waiting.has(id) || failed.has(id),
    close: quiet.close,
  };
}

function showing(root: string, shown: Shown, onStep: OnStep): Show {
  return (id, row) => {
    const before = shown.placeOf(id);
    if (row === null) {
      if (before !== undefined) forget(root, id, before);
      shown.results.delete(resultPlace(id));
      shown.delete(id);
      return;
    }
    // Who finds a task in `completed` finds its result.
    const result = resultTextOf(row);
    if (result !== undefined) {
      const place = resultPlace(id);
      shown.results.set(place, sealOf(writeShown(root, place, result)));
      onStep("result shown");
    }
    const after = placeOfRow(row);
    if (before !== undefined && before !== after) {
      moveRecord(root, before, after);
      shown.set(id, after);
      onStep("moved");
    }
    writeShown(root, after, textOf(row));
    shown.set(id, after);
  };
}

/** What a file shows is forgotten. */
function forget(root: string, id: string, place: string): void {
  if (place.startsWith("queue/tasks/")) {
    for (const beside of [resultPlace(id), heartbeatPlace(id)]) removeShown(root, beside);
  }
  removeShown(root, place);
}
