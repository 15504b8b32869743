/** The issues of a schema that are reworded here; issues of zod have this shape. */
export interface SettingsIssue {
  readonly code?: string | undefined;
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/** Beginnings of messages that come from the schema library itself, and not from one of our rules. */
const LIBRARY_WORDS = /^(?:Invalid (?:input|option)|Too (?:small|big)|Unrecognized key)/;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

/**
 * The problem with a setting, in words for the author of the file: "is required", "must be text". The message of one of our
 * own rules is returned unchanged.
 */
export function settingsProblem(issue: SettingsIssue): string {
  if (!LIBRARY_WORDS.test(issue.message)) return issue.message;
  const { expected, keys, minimum, maximum, values } = issue as SettingsIssue & IssueDetails;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is required'
        : `must be ${KINDS[expected ?? ''] ?? String(expected)}`;
    case 'unrecognized_keys':
      return `unknown setting ${(keys ?? []).slice(0, 5).join(', ')}`;
    case 'too_small':
      return minimum === 1 ? 'must not be empty' : `must be at least ${String(minimum)}`;
    case 'too_big':
      return `must be at most ${String(maximum)}`;
    case 'invalid_value':
      return `must be one of ${(values ?? []).join(', ')}`;
    default:
      return 'is not valid';
  }
}

interface IssueDetails {
  readonly expected?: string;
  readonly keys?: readonly string[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly values?: readonly unknown[];
}

const TABLE = /^\s*\[\[?\s*([\w.-]+)\s*\]\]?/;

/**
 * The line of a TOML text that contains a setting, or its table when the text does not contain the setting.
 * @param path - keys and indexes, as a schema gives them
 * @returns from 1; undefined when neither is there
 */
export function tomlLine(text: string, path: readonly PropertyKey[]): number | undefined {
  const [table, second] = path;
  const key = path.findLast((part) => typeof part === 'string');
  const wanted = typeof second === 'number' ? second : 0;
  let [found, isWanted, seen]: [number | undefined, boolean, number] = [undefined, false, -1];
  for (const [index, line] of text.split('\n').entries()) {
    const name = TABLE.exec(line)?.[1];
    if (name !== undefined) {
      if (name === table) seen += 1;
      isWanted = name === table && seen === wanted;
      if (isWanted) found = index + 1;
    } else if (isWanted && line.split('=', 1)[0]?.trim() === key) {
      return index + 1;
    }
  }
  return found;
}
