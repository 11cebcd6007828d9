import type { Message } from "../../features/notifications/index.ts";
import { shortId } from "../../platform/markup/literal.ts";

/** A text that is sent as a file. */
export interface TextFile {
  readonly name: string;
  readonly content: string;
}

/** The complete text of a message as a file, named after the run that wrote it. */
export function textFileOf({ text, follows }: Message): TextFile {
  const name = follows === undefined ? "output" : `output-${shortId(follows)}`;
  return { name: `${name}.txt`, content: text };
}
