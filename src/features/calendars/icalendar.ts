/** Loads what writes and reads events as files (RFC 5545): few installations have a calendar. */
export async function iCalendar() {
  const [{ eventFile, feedFile }, { readEvent }] = await Promise.all([
    import("./icalendar/write.ts"),
    import("./icalendar/read.ts"),
  ]);
  return { eventFile, feedFile, readEvent };
}
