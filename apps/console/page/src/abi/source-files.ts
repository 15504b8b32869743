import { AbiFault } from './abi-fault.js';
import { boundedJson } from './bounded-json.js';

/** A file of a standard JSON input. */
export interface SourceFile {
  readonly name: string;
  readonly content: string;
}

/**
 * The files of a standard JSON input.
 * @throws AbiFault for text that is not standard JSON input
 */
export function sourceFiles(text: string): readonly SourceFile[] {
  const input = boundedJson(text) as { readonly language?: unknown; readonly sources?: unknown } | null;
  if (typeof input !== 'object' || input?.language !== 'Solidity')
    throw new AbiFault('language', 'must be "Solidity": drop the standard JSON input of the compiler');
  const { sources } = input;
  if (typeof sources !== 'object' || sources === null) throw new AbiFault('sources', 'is missing');
  return Object.entries(sources).map(([name, file]) => {
    const { content } = (file ?? {}) as { readonly content?: unknown };
    if (typeof content !== 'string') throw new AbiFault(`sources.${name}`, 'must have the text of the file');
    return { name, content };
  });
}
