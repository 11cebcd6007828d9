/** Moments at which a process may die or a disk may fail, for tests that make it so. */
export type Step =
  | "begun" // a commit: nothing is written
  | "written" // the journal has it, the disk may not
  | "synced"
  | "answered"
  | "moved" // a file is in its new folder, with its old content
  | "projected"
  | "rotated" // a checkpoint: commits go to a new journal
  | "snapshot written"
  | "snapshot named"
  | "forgotten"; // what the snapshot replaces is gone

export type OnStep = (step: Step) => void;
