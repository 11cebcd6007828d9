/** A typed event bus. Domain code says what happened; one subscriber decides the wording. */
export interface Bus<Events> {
  emit<Name extends keyof Events>(name: Name, facts: Events[Name]): void;
  /** Hears everything; the answer stops listening. */
  listen(hear: Listener<Events>): () => void;
}

export type Listener<Events> = <Name extends keyof Events>(name: Name, facts: Events[Name]) => void;

export function bus<Events>(): Bus<Events> {
  const listeners = new Set<Listener<Events>>();
  return {
    emit(name, facts) {
      for (const hear of listeners) hear(name, facts);
    },
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
}
