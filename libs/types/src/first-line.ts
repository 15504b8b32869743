/** What a file says whose first line counts, as in those of passwords and tokens; empty when it says nothing. */
export function firstLine(content: string): string {
  return content.split(/\r?\n/, 1)[0] ?? '';
}
