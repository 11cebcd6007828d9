import { messageOf } from "./errors.ts";

/** A typed event bus. Domain code emits events; one subscriber decides the wording. */
export interface Bus<Events> {
  emit<Name extends keyof Events>(name: Name, facts: Events[Name]): void;
  /** Receives every event. Call the answer to stop listening. */
  listen(listener: Listener<Events>): () => void;
}

type Listener<Events> = <Name extends keyof Events>(name: Name, facts: Events[Name]) => void;

/** A listener that throws stops neither the others nor the emitter: its error goes to `failed`. */
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
