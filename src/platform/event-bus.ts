import { messageOf } from "./errors.ts";

/** A typed event bus. Domain code says what happened; one subscriber decides the wording. */
export interface Bus<Events> {
  emit<Name extends keyof Events>(name: Name, facts: Events[Name]): void;
  /** Hears everything; the answer stops listening. */
  listen(listener: Listener<Events>): () => void;
}

type Listener<Events> = <Name extends keyof Events>(name: Name, facts: Events[Name]) => void;

/** A listener that throws stops neither the others nor the emitter: what it threw goes to `failed`. */
export function bus<Events>(failed: (error: unknown) => void = warn): Bus<Events> {
  const listeners = new Set<Listener<Events>>();
  return {
    emit(name, facts) {
      for (const listener of listeners) {
        try {
          listener(name, facts);
        } catch (error) {
          failed(error);
        }
      }
    },
    listen(listener) {
      // Its own function, so that one listener may listen twice and stop once.
      const mine: Listener<Events> = (name, facts) => listener(name, facts);
      listeners.add(mine);
      return () => listeners.delete(mine);
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(`A listener failed: ${messageOf(error)}`);
}
