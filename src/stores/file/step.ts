/** Moments at which a process may die or a disk may fail, for tests that make it so. */
export type Step =
  | "begun" // a commit: nothing is written
  | "written" // the journal has it, the disk may not
  | "synced"
  | "answered"
  | "moved" // a file is in its new folder, with its old content
  | "projected"
  | "result shown" // a result has its file, and its record is where it was
  | "dropped" // what somebody dropped is committed, and its file is as it was
  | "taken" // a record whose file somebody moved is claimed
  | "reported" // a result file is settled, and still as it was
  | "rotated" // a checkpoint: commits go to a new journal
  | "snapshot written"
  | "snapshot named"
  | "forgotten"; // what the snapshot replaces is gone

export type OnStep = (step: Step) => void;
