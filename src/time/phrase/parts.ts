type Hours = readonly [from: number, to: number];

interface PartOfDay {
  /** When no hour is said. */
  readonly bare: number;
  /** Which hours stand for themselves in it, and which for others. Any other is refused. */
  readonly minus12?: Hours;
  readonly plus0: Hours;
  readonly plus12?: Hours;
  readonly plus24?: Hours;
}

/** What an hour means in each part of the day. From 24 on it is in the day after. */
const parts = {
  dawn: { bare: 5, minus12: [12, 12], plus0: [0, 7] }, // 새벽
  morning: { bare: 8, plus0: [1, 11] }, // 아침
  am: { bare: 9, minus12: [12, 12], plus0: [0, 11] }, // 오전
  midday: { bare: 12, plus0: [10, 15], plus12: [1, 5] }, // 점심, 낮
  pm: { bare: 15, plus0: [12, 23], plus12: [1, 11] }, // 오후
  evening: { bare: 18, plus0: [16, 23], plus12: [4, 11] }, // 저녁
  night: { bare: 20, plus0: [18, 23], plus12: [6, 12], plus24: [0, 5] }, // 밤
} as const satisfies Record<string, PartOfDay>;

export type Part = keyof typeof parts;

/** The hour of the day that is meant, if the part has it. */
export function hourIn(part: Part, hour: number): number | undefined {
  const { minus12, plus0, plus12, plus24 }: PartOfDay = parts[part];
  for (const [hours, add] of [
    [minus12, -12],
    [plus0, 0],
    [plus12, 12],
    [plus24, 24],
  ] as const) {
    if (hours !== undefined && hour >= hours[0] && hour <= hours[1]) return hour + add;
  }
  return undefined;
}

export function bareHour(part: Part): number {
  return parts[part].bare;
}
