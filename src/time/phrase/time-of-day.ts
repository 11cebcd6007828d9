import { takeCount, attempt, take, takeMark, takeUnit, type Reader } from "./reader.ts";

export interface Time {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** The form it was typed in, which tells the clock. */
  readonly form: "word" | "24 hours" | "12 or 24 hours";
  /** A number alone, which is an hour only beside something that makes it one. */
  readonly isBare?: true;
  /** False: a word that people use for other hours too. */
  readonly sure: boolean;
}

/** "09:30", "3:15:20", "at 9", "9 o'clock", "half past nine", 3시 반, 열한 시 이십 분, "noon"; "9" of "9 am". */
export function takeTime(reader: Reader): Time | undefined {
  const isAt = takeMark(reader, "at");
  const word = take(reader, "clock");
  if (word !== undefined) {
    return { hour: word.hour, minute: 0, second: 0, form: "word", sure: word.sure };
  }
  const pastHour = attempt(reader, takePastHour);
  if (pastHour !== undefined) return pastHour;
  const time = takeHour(reader);
  if (time === undefined) return undefined;
  if (takeMark(reader, ":")) {
    const minute = takeTwoDigits(reader);
    const second = takeMark(reader, ":") ? takeTwoDigits(reader) : 0;
    return minute === undefined || second === undefined ? undefined : { ...time, minute, second };
  }
  if (takeMark(reader, "hour")) return { ...time, ...takeKoreanMinutes(reader) };
  return isAt ? time : { ...time, isBare: true };
}

function takeHour(reader: Reader): Time | undefined {
  const count = takeCount(reader);
  if (count === undefined || count.digits > 2) return undefined;
  const hour = count.value;
  const isOn24 = count.digits === 2 || hour === 0 || hour > 9;
  return { hour, minute: 0, second: 0, form: isOn24 ? "24 hours" : "12 or 24 hours", sure: true };
}

/** "half past nine", "a quarter past 3". */
function takePastHour(reader: Reader): Time | undefined {
  const minute = take(reader, "half") ? 30 : take(reader, "quarter") ? 15 : undefined;
  if (minute === undefined || !takeMark(reader, "past the hour")) return undefined;
  const time = takeHour(reader);
  return time && { ...time, minute };
}

function takeTwoDigits(reader: Reader): number | undefined {
  const digits = take(reader, "digits");
  return digits?.length === 2 ? digits.value : undefined;
}

/** 30분, 30분 15초, 반, or nothing. */
function takeKoreanMinutes(reader: Reader): Partial<Time> {
  if (take(reader, "half") !== undefined) return { minute: 30 };
  const counted = (unit: "minutes" | "seconds"): number | undefined =>
    attempt(reader, (reader) => {
      const count = takeCount(reader)?.value;
      return takeUnit(reader) === unit ? count : undefined;
    });
  const minute = counted("minutes");
  return minute === undefined ? {} : { minute, second: counted("seconds") ?? 0 };
}
