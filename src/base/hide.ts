/** The text without secrets: a peer may say back what it was told, and reasons are shown. */
export function hide(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return forms.reduce((left, form) => (form === "" ? left : left.replaceAll(form, "***")), text);
}
