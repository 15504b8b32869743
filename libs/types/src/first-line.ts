/** The first line of a file, as used for passwords and tokens; empty when it has none. */
export function firstLine(content: string): string {
  return content.split(/\r?\n/, 1)[0] ?? '';
}
