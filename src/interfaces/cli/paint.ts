const codes = { dim: 2, red: 31, green: 32, yellow: 33 } as const;

export function paint(color: boolean, as: keyof typeof codes, text: string): string {
  return color ? `\u001B[${codes[as]}m${text}\u001B[0m` : text;
}
