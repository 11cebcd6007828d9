const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The first 48 bits of a UUID of version 7: its millisecond. */
const lengthMin = 13;

/**
 * What a list prints for each of its ids: for a UUID the shortest start that no other id of the list has, at least
 * its whole millisecond. Any other id is short already and stays whole.
 */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].toSorted();
  return new Map(
    sorted.map((id, at) => {
      if (!uuid.test(id)) return [id, id];
      const shared = Math.max(sharedLength(id, sorted[at - 1]), sharedLength(id, sorted[at + 1]));
      return [id, startOf(id, Math.max(lengthMin, shared + 1))];
    }),
  );
}

/** A start that does not end in a hyphen. */
function startOf(id: string, length: number): string {
  return id.slice(0, id[length - 1] === "-" ? length + 1 : length);
}

function sharedLength(id: string, other = ""): number {
  let length = 0;
  while (length < other.length && id[length] === other[length]) length += 1;
  return length;
}
