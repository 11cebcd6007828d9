/** A shorter secret occurs in words by chance: hiding it would damage them, and reveal it. */
const secretCharsMin = 8;

/** The text without secrets: a peer may echo them, and reasons are shown to people. */
export function redact(text: string, secrets: readonly string[]): string {
  const hidden = secrets.filter((secret) => secret.length >= secretCharsMin);
  const forms = hidden.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return forms.reduce((left, form) => left.replaceAll(form, "***"), text);
}
