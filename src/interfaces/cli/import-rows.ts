import { notifications } from "../../features/notifications/index.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { exits, type GivenInput } from "./command.ts";
import { type ImportFile, type ImportPorts, summed } from "./import-request.ts";
import { fromJson, readStdin } from "./input-file.ts";

/** What one request takes. */
const rowsMax = 1_000;
const bytesMax = 200 * 1024;
/** JSON is read as a whole, unlike the lines of an exported book. */
const fileBytesMax = 64 * 2 ** 20;

const { importNotifications } = notifications.operations;
type Result = Awaited<ReturnType<typeof importNotifications.run>>;

/** Imports the notifications of another ledger. A long list is checked as a whole, and then written in parts. */
export async function importRows(
  { bytes, isDry, target }: ImportFile,
  { operations, ports, json }: ImportPorts,
): Promise<number> {
  const { notifications: rows, ...others } = fromJson(
    "notifications",
    await readStdin(bytes(), fileBytesMax),
  ) as GivenInput;
  const request = { ...others, ...(target !== undefined && { target }) };
  const parts = Array.isArray(rows) ? partsOf(rows) : [{ from: 0, rows }];
  const reader = await ports.reader();
  const result = await ports.asking(async (ask) => {
    const sent = async (isDryRun: boolean): Promise<Result> => {
      const answers: Result[] = [];
      for (const part of parts) {
        const input = { ...request, notifications: part.rows, dry_run: isDryRun };
        const answer = await ask(operations.notifications, input, "json").catch(
          (error: unknown) => {
            throw part.from === 0 ? error : ofPart(error, part.from);
          },
        );
        answers.push(answer.output as Result); // the operation's own answer
      }
      return summed(answers);
    };
    const checked = isDry || parts.length > 1 ? await sent(true) : undefined;
    return isDry && checked !== undefined ? checked : sent(false);
  });
  ports.out(json ? JSON.stringify(result) : importNotifications.render(result, reader));
  return exits.done;
}

interface Part {
  /** How many rows come before it. */
  readonly from: number;
  readonly rows: unknown;
}

function partsOf(rows: readonly unknown[]): readonly Part[] {
  const parts: { from: number; rows: unknown[]; size: number }[] = [];
  for (const [index, row] of rows.entries()) {
    const size = Buffer.byteLength(JSON.stringify(row));
    const last = parts.at(-1);
    if (last === undefined || last.rows.length === rowsMax || last.size + size > bytesMax) {
      parts.push({ from: index, rows: [row], size });
    } else {
      last.rows.push(row);
      last.size += size;
    }
  }
  return parts.length === 0 ? [{ from: 0, rows }] : parts;
}

/** The rows of a part are numbered from 0 in an error. */
function ofPart(error: unknown, from: number): unknown {
  if (!hasCode(error, "invalid", "too_large")) return error;
  const { code, message, details } = error;
  const sentence = `Of the rows after the first ${from}:\n${message}`;
  return new DaybookError(code, sentence, { cause: error, details });
}
