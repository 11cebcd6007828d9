import type { Fact } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { moveRecord, placeOfRow, removeRecord, writeRecord } from "./record-file.ts";
import type { OnStep } from "./step.ts";
import { whenQuiet } from "./when-quiet.ts";

export interface Projector {
  /** Shows what was committed, soon. */
  show(facts: readonly Fact[]): void;
  /** Shows all that is left to show, now. */
  flush(): void;
  close(): void;
}

type Show = (id: string, row: Row | null) => void;

/**
 * Shows each record as a file in the folder of its state. Nothing is read back from there, and a
 * start repairs what differs: so it runs behind the commits, without waiting for the disk, and a
 * failure costs nobody an answer. A burst is not slowed by it, and a record that is claimed and ended
 * at once is written once.
 */
export function projector(root: string, places: Map<string, string>, onStep: OnStep): Projector {
  /** Rows as they were committed, null when forgotten. Never the model's: it may be ahead of the disk. */
  const waiting = new Map<string, Row | null>();
  /** Those that could not be shown, as when the disk is full: they are tried again with the next. */
  const failed = new Map<string, Row | null>();
  const showOne = showing(root, places, onStep);

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
    close: quiet.close,
  };
}

function showing(root: string, places: Map<string, string>, onStep: OnStep): Show {
  return (id, row) => {
    const before = places.get(id);
    if (row === null) {
      if (before !== undefined) removeRecord(root, before);
      places.delete(id);
      return;
    }
    const after = placeOfRow(row);
    if (before !== undefined && before !== after) {
      moveRecord(root, before, after);
      places.set(id, after);
      onStep("moved");
    }
    writeRecord(root, after, row);
    places.set(id, after);
  };
}
