import { Composer, Parser, isMap, isScalar, type CST, type Document } from 'yaml';
import { KeyLoadError } from './key-load-error.js';

/** One document of a YAML file: what it says, scalars as text; or what is wrong with it. */
export type YamlDocument =
  | {
      readonly value: unknown;
      /** The line of the file on which a member stands, or the document when it has no such member. */
      readonly lineOf: (member: string) => number;
    }
  | { readonly fault: string };

/** A file with more is refused as a whole. */
export const MAX_DOCUMENTS = 10_000;

/** Bounds of one document; one that goes beyond is not composed. */
const MAX_NODES = 200;
const DEEPEST = 8;

/** Documents between two turns of the event loop. */
const DOCUMENTS_A_TURN = 50;

/**
 * The documents of a YAML text; empty ones are skipped.
 *
 * Scalars stay text, quoted or not: a private key that begins with 0x is not a number. Aliases are refused: they are the
 * way in which a small text becomes a large value, and a document of a few members needs none.
 *
 * @throws KeyLoadError when there are too many
 */
export async function readYamlDocuments(text: string): Promise<readonly YamlDocument[]> {
  const documents: YamlDocument[] = [];
  let seen = 0;
  for (const document of composeDocuments(text)) {
    seen += 1;
    if (seen % DOCUMENTS_A_TURN === 0) await new Promise((turn) => setImmediate(turn));
    if ('value' in document && document.value === null) continue;
    if (documents.length === MAX_DOCUMENTS)
      throw new KeyLoadError(`has more than ${MAX_DOCUMENTS} documents`);
    documents.push(document);
  }
  return documents;
}

function* composeDocuments(text: string): Generator<YamlDocument> {
  const composer = new Composer({
    schema: 'failsafe',
    customTags: ['null'],
    // The library's own words would show the line.
    prettyErrors: false,
  });
  for (const token of new Parser().parse(text)) {
    if (isWithinBounds(token)) {
      for (const document of composer.next(token)) yield read(document, text);
      continue;
    }
    for (const document of composer.end()) yield read(document, text);
    yield { fault: `is nested deeper than ${DEEPEST} levels, or has more than ${MAX_NODES} members` };
  }
  for (const document of composer.end()) yield read(document, text);
}

/** Looked at before anything is composed: composing is recursive, and looks for double keys by comparing all with all. */
function isWithinBounds(token: CST.Token): boolean {
  const left: { readonly token: CST.Token; readonly depth: number }[] = [{ token, depth: 0 }];
  let nodes = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    nodes += 1;
    if (nodes > MAX_NODES || next.depth > DEEPEST) return false;
    for (const child of childrenOf(next.token)) left.push({ token: child, depth: next.depth + 1 });
  }
  return true;
}

function childrenOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) =>
    [key, value].filter((child): child is CST.Token => child !== undefined && child !== null),
  );
}

function read(document: Document.Parsed, text: string): YamlDocument {
  const [error] = document.errors;
  if (error !== undefined) {
    const problem = error.code === 'DUPLICATE_KEY' ? 'has a member twice' : 'is not YAML';
    return { fault: `${problem} (line ${lineAt(text, error.pos[0])})` };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    const start = document.contents?.range?.[0] ?? document.range[0];
    return { value, lineOf: (member) => lineAt(text, memberStart(document, member) ?? start) };
  } catch (error) {
    if (error instanceof ReferenceError) return { fault: 'has an alias (*name), which is not taken' };
    throw error;
  }
}

function memberStart({ contents }: Document.Parsed, member: string): number | undefined {
  if (!isMap(contents)) return undefined;
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === member);
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
