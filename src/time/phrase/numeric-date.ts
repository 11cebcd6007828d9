import { attempt, take, takeMark, takeYear, type Reader } from "./reader.ts";

interface NumericDate {
  readonly year?: number;
  readonly month: number;
  readonly day: number;
  /** It is a date in either order. */
  readonly isEitherOrder?: true;
}

/** 2026-12-25, 2026/12/25, "2026. 12. 25.", 12/25, 25/12/2026, "25.12." */
export function takeNumericDate(reader: Reader): NumericDate | undefined {
  return attempt(reader, takeYearFirst) ?? takeYearLast(reader);
}

function takeYearFirst(reader: Reader): NumericDate | undefined {
  const year = takeYear(reader);
  const mark = (["-", "/", "."] as const).find((mark) => takeMark(reader, mark));
  if (mark === undefined) return undefined;
  const month = take(reader, "digits")?.value;
  if (!takeMark(reader, mark)) return undefined;
  const day = take(reader, "digits")?.value;
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (mark === ".") takeMark(reader, ".");
  return { year, month, day };
}

/** Two numbers. With a dot alone between them they could be a time, and with a hyphen a range. */
function takeYearLast(reader: Reader): NumericDate | undefined {
  const first = takeTwo(reader);
  const mark = (["/", "."] as const).find((mark) => takeMark(reader, mark));
  if (first === undefined || mark === undefined) return undefined;
  const second = takeTwo(reader);
  const year = attempt(reader, (reader) => (takeMark(reader, mark) ? takeYear(reader) : undefined));
  if (mark === "." && year === undefined && !takeMark(reader, ".")) return undefined;
  const order = second === undefined ? undefined : orderOf(first, second);
  return order && { ...(year === undefined ? {} : { year }), ...order };
}

const monthsMax = 12;

/** Countries differ in the order: only a number that is no month tells it. */
function orderOf(first: number, second: number): NumericDate | undefined {
  if (first > monthsMax && second > monthsMax) return undefined;
  if (first > monthsMax) return { month: second, day: first };
  const order = { month: first, day: second };
  return second > monthsMax || first === second ? order : { ...order, isEitherOrder: true };
}

function takeTwo(reader: Reader): number | undefined {
  const digits = take(reader, "digits");
  return digits !== undefined && digits.length <= 2 ? digits.value : undefined;
}
