// These names are stored in ledgers: none may change.

/** A scope has one pause: a second request changes its end and its reason. */
export function pauseHold(scope: string): string {
  return `pause:${scope}`;
}

export function nodeHold(name: string): string {
  return `node:${name}`;
}

export function choreHold(name: string): string {
  return `chore:${name}`;
}
