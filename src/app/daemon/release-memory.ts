/**
 * Collects garbage once and gives the pages back to the system. A start leaves some 30 MB of them, and V8 keeps them for as long
 * as little is allocated.
 */
export async function releaseMemory(): Promise<void> {
  const { Session } = await import("node:inspector/promises"); // a Node can be built without it
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
}
