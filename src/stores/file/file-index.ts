/** Which file shows which record. */
export interface Shown {
  /** Where a record's file is. */
  placeOf(id: string): string | undefined;
  idAt(place: string): string | undefined;
  set(id: string, place: string): void;
  delete(id: string): void;
  /** The result files that we wrote, each with its seal: what is there and has another is not ours. */
  readonly results: Map<string, string>;
  /** All that there are, as they are while somebody goes through them. */
  places(): IterableIterator<string>;
}

export function shownFiles(): Shown {
  const places = new Map<string, string>();
  const ids = new Map<string, string>();
  const forget = (id: string): void => {
    const before = places.get(id);
    if (before !== undefined && ids.get(before) === id) ids.delete(before);
    places.delete(id);
  };
  return {
    placeOf: (id) => places.get(id),
    idAt: (place) => ids.get(place),
    set(id, place) {
      forget(id);
      places.set(id, place);
      ids.set(place, id);
    },
    delete: forget,
    results: new Map(),
    places: () => ids.keys(),
  };
}
