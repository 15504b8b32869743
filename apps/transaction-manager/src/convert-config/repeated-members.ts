/** An object or a list that the text is in at a place. */
type Level =
  | { readonly kind: 'object'; readonly seen: Set<string>; member: string }
  | { readonly kind: 'list'; index: number };

/**
 * The members that stand more than once in their object, of which JSON readers take the last.
 *
 * @param json a text that is JSON
 * @returns their paths, as `peer.0.url`, each once
 */
export function repeatedMembers(json: string): string[] {
  const levels: Level[] = [];
  const repeated = new Set<string>();
  for (let at = 0; at < json.length; at++) {
    const level = levels.at(-1);
    switch (json[at]) {
      case '{':
        levels.push({ kind: 'object', seen: new Set(), member: '' });
        break;
      case '[':
        levels.push({ kind: 'list', index: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level?.kind === 'list') level.index++;
        break;
      case '"': {
        const end = endOfString(json, at);
        if (level?.kind === 'object' && isName(json, end)) {
          level.member = JSON.parse(json.slice(at, end)) as string;
          if (level.seen.has(level.member)) repeated.add(pathOf(levels));
          level.seen.add(level.member);
        }
        at = end - 1;
        break;
      }
      default:
    }
  }
  return [...repeated];
}

/** Position behind the closing quote of the string that begins at a place. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Whether a colon follows the string that ends at a place. */
function isName(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function pathOf(levels: readonly Level[]): string {
  return levels.map((level) => (level.kind === 'list' ? level.index : level.member)).join('.');
}
