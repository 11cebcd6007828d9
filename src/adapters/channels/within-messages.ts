import { inLanguages } from "../../platform/language.ts";
import { buttonsFor } from "./buttons.ts";
import type { Split } from "./parts.ts";
import { textFileOf } from "./text-file.ts";

/** The most messages of one text in a chat, unless the settings have another number. */
const messagesMaxDefault = 20;

interface LengthLimits {
  /** The most messages of one text. */
  readonly messagesMax?: number | undefined;
  /** The most characters of one of them. */
  readonly charsMax: number;
}

/** Splits a text that needs too many messages into its beginning and a file with all of it. */
export function withinMessages(
  split: Split,
  { messagesMax = messagesMaxDefault, charsMax }: LengthLimits,
): Split {
  return (message) => {
    // Buttons stand under the last message, and a file has none. Such a text has a limit of its own.
    if (buttonsFor(message).length > 0) return split(message);
    const { text } = message;
    // A text so long needs too many: splitting all of it would take long.
    const isTooLong = text.length > 2 * charsMax * messagesMax;
    const start = isTooLong ? text.slice(0, charsMax * messagesMax).toWellFormed() : text;
    const pieces = split({ ...message, text: start });
    if (!isTooLong && pieces.length <= messagesMax) return pieces;
    const caption = captionIn(message.language);
    return [...pieces.slice(0, 1), { text: caption, plain: caption, file: textFileOf(message) }];
  };
}

const captionIn = inLanguages({ en: "The complete text", ko: "전체 내용" });
