/** One that is shorter stands in words by chance: hiding it would cut them, and tell where it is. */
const secretCharsMin = 8;

/** The text without secrets: a peer may say back what it was told, and reasons are shown. */
export function redact(text: string, secrets: readonly string[]): string {
  const hidden = secrets.filter((secret) => secret.length >= secretCharsMin);
  const forms = hidden.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return forms.reduce((left, form) => left.replaceAll(form, "***"), text);
}
