const octetsMax = 75;

/** Folds content lines at 75 octets of UTF-8, never inside a character (RFC 5545 §3.1). They end with CRLF. */
export function folded(text: string): string {
  // ical.js folds as well, but does not count the space that begins a continuation.
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  return lines.map(foldedLine).join("\r\n");
}

function foldedLine(line: string): string {
  if (line.length * 3 <= octetsMax) return line;
  const pieces: string[] = [];
  let piece = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > octetsMax) {
      pieces.push(piece);
      piece = "";
      octets = 1; // the space of the continuation
    }
    piece += character;
    octets += size;
  }
  return [...pieces, piece].join("\r\n ");
}
