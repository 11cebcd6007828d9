/** Characters that break a line in some readers of iCalendar. */
const lineEnds = /\r\n|[\r\u0085\u2028\u2029]/g;
/** Characters that XML or iCalendar forbids: one of them would make a server's whole list unreadable. */
// oxlint-disable-next-line no-control-regex -- these are what is removed
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** The text as every calendar can keep it. */
export function entryText(text: string): string {
  return text.toWellFormed().replaceAll(lineEnds, "\n").replaceAll(forbidden, "");
}
