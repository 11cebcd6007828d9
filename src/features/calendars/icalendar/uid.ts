/** The UID of our entry. No other program ends one so. */
export function uidOf(id: string): string {
  return `${id}@daybook`;
}

/** The id of our entry with this UID; null: it is somebody else's. */
export function entryIdIn(uid: string): string | null {
  return /^([0-9a-v]{5,64})@daybook$/.exec(uid)?.[1] ?? null;
}
