/** An object or a list that the text is in at a place. */
type Level =
  | { readonly kind: 'object'; readonly seen: Set<string>; member: string }
  | { readonly kind: 'list'; index: number };

const STRING = /"(?:[^"\\]|\\.)*"/y;
const COLON = /\s*:/y;

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
        const end = endOf(STRING, json, at);
        if (level?.kind === 'object' && endOf(COLON, json, end) > end) {
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

/** Where the expression ends that begins at a place; the place itself when it does not. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

function pathOf(levels: readonly Level[]): string {
  return levels.map((level) => (level.kind === 'list' ? level.index : level.member)).join('.');
}
