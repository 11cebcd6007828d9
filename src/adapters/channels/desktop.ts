import type { Channel, Message, Sent } from "../../features/notifications/index.ts";
import type { Priority } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import type { Log } from "../../platform/log.ts";
import type { Spawn } from "../../platform/process.ts";
import { cut, harmless } from "../../platform/text.ts";
import { firstLine, notStarted } from "./exec.ts";

/** A pop-up shows the beginning; the book has the full text. */
const charsMax = 1_000;
const bytesMax = 16 * 1_024;
const timeoutMs = 20_000;
const title = "Daybook";

const urgencies: Record<Priority, string> = { low: "low", normal: "normal", high: "critical" };

/** Shows a pop-up where the daemon runs. The text is an argument, never part of a script. */
export function desktop({
  spawn,
  platform,
  env,
}: {
  spawn: Spawn;
  /** Node's name of it; supported: `linux` and `darwin`. */
  platform: string;
  /** The variables that locate the desktop: PATH, DISPLAY, DBUS_SESSION_BUS_ADDRESS and so on. */
  env: Readonly<Record<string, string>>;
}): Channel {
  return {
    name: "desktop",
    async send(message, { signal }) {
      const command = commandFor(platform, message);
      if (command === undefined) {
        const toDo = "choose another channel";
        return { result: "rejected", reason: `pop-ups are not supported on ${platform}: ${toDo}` };
      }
      const [file, ...args] = command;
      const limits = { timeoutMs, bytesMax };
      const end = await spawn({ file, args, env, input: "", ...limits, signal });
      if (!end.started) return notStarted(end.code, file);
      if (end.status === 0) return shown(message);
      if (end.cut !== null || end.status === null) {
        return { result: "unknown", reason: `${file} was ended: ${end.cut ?? "killed"}` };
      }
      const toDo = "run the daemon in a desktop session, or choose another channel";
      return {
        result: "rejected",
        reason: `${file} cannot show the pop-up${firstLine(end)}: ${toDo}`,
      };
    },
  };
}

function shown({ text }: Message): Sent {
  const cutTo = text.length > charsMax ? charsMax : undefined;
  return { result: "delivered", receipt: present({ shown: true, cutTo }) };
}

function commandFor(platform: string, message: Message): [string, ...string[]] | undefined {
  const text = cut(harmless(message.text), charsMax);
  if (platform === "linux") {
    const urgency = `--urgency=${urgencies[message.priority]}`;
    return ["notify-send", "--app-name=daybook", urgency, "--", title, forNotifySend(text)];
  }
  // The title comes first: a text that begins with a dash would be read as an option.
  if (platform === "darwin") return ["osascript", ...appleScript, title, text];
  return undefined;
}

/** notify-send reads backslashes as C does, and the desktop reads markup. */
function forNotifySend(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

const appleScript = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
].flatMap((line) => ["-e", line]);

/** A desktop that does not answer must not delay the inbox. */
const noticeMsMax = 5_000;
const graceMs = 1_000;

/** A pop-up for a message in the inbox. It confirms no delivery: the result is `absent`. */
export function popUp(show: Channel, { clock, log }: { clock: Clock; log: Log }): Channel {
  const failed = (reason: string): void => log.warn("pop-up failed", { reason });
  return {
    name: "inbox",
    async send(message, attempt) {
      const limits = { clock, timeoutMs: noticeMsMax, graceMs, signal: attempt.signal };
      await withDeadline(limits, (signal) => show.send(message, { ...attempt, signal })).then(
        (sent) => {
          if ("late" in sent) failed(sent.late);
          else if ("reason" in sent.done) failed(sent.done.reason);
        },
        (error: unknown) => failed(messageOf(error)),
      );
      return { result: "absent", reason: "it was only pointed at", maybe: false };
    },
  };
}
