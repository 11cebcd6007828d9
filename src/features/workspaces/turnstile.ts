/** Lets so many in at once; the others wait in the order they came. */
export function turns(atOnce: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await run();
    } finally {
      // A turn that ends is given on, or is free.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
