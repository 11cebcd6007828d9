import hooks from "node:async_hooks";

/**
 * Loaded into every process of `npm test` before Node's test runner, which otherwise follows each promise, only to
 * know to which test an error belongs that nobody awaits. In tests over days of virtual time that was three quarters
 * of the work. Here such an error ends the whole file at once, with its stack.
 */
const { createHook } = hooks;
Object.assign(hooks, {
  createHook: (callbacks: hooks.HookCallbacks) =>
    createHook({ ...callbacks, trackPromises: false }),
});

for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error: unknown) => {
    console.error(`An error that no test awaits (${event}):`, error);
    process.exit(1);
  });
}
