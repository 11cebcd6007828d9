// Names that are held stand in books: none may change.

/** The same is paused once: whoever asks again changes until when, and why. */
export function pauseHold(scope: string): string {
  return `pause:${scope}`;
}

export function nodeHold(name: string): string {
  return `node:${name}`;
}

export function choreHold(name: string): string {
  return `chore:${name}`;
}
