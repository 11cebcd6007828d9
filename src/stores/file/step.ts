/** The steps at which a test may end the process or fail the disk. */
export type Step =
  | "started" // a commit: nothing is written
  | "written" // the journal has it, the disk may not
  | "synced"
  | "answered"
  | "moved" // a file is in its new folder, with its old content
  | "projected"
  | "result shown" // a result has its file, and its record's file is in its old folder
  | "dropped" // a dropped file is committed, and not rewritten
  | "taken" // a record whose file was moved is claimed
  | "reported" // a result file is settled, and not rewritten
  | "rotated" // a checkpoint: commits go to a new journal
  | "snapshot written"
  | "snapshot named"
  | "replaced"; // the files that the snapshot replaces are removed

export type OnStep = (step: Step) => void;
