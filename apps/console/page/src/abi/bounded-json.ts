import { AbiFault } from './abi-fault.js';

/** Characters of a file: a standard output of some hundred contracts with their syntax trees. */
export const MAX_FILE = 8_388_608;
/** Levels of arrays and objects: those of syntax trees are deep. */
const MAX_DEPTH = 500;

/**
 * The value of a JSON text of a stranger.
 * @throws AbiFault for text that is no JSON, too long or too deep, or that has a key twice in one object: readers
 *   differ in which of the two they take
 */
export function boundedJson(text: string): unknown {
  if (text.length > MAX_FILE) throw new AbiFault('', `the file has more than ${MAX_FILE} characters`);
  const members = membersOf(text);
  const value = parse(text);
  if (countMembers(value) !== members) throw new AbiFault('', 'an object of the file has a key twice');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AbiFault('', 'the file is not JSON');
  }
}

/** How many members the objects of a text have: colons outside of its strings. */
function membersOf(text: string): number {
  let [members, depth, isString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === ':') members += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '{' || character === '[') depth += 1;
    if (depth > MAX_DEPTH) throw new AbiFault('', `the file is more than ${MAX_DEPTH} levels deep`);
  }
  return members;
}

function countMembers(root: unknown): number {
  const waiting = [root];
  let members = 0;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value) as unknown[];
    if (!Array.isArray(value)) members += inner.length;
    for (const one of inner) waiting.push(one);
  }
  return members;
}
