import { FramingError, readJson } from '@tetrad/rpc';
import { withoutByteOrderMark } from '@tetrad/types';

/** Far deeper than any file of a chain nests. */
const MAX_DEPTH = 64;

/**
 * The JSON of a file that other programs read too.
 *
 * @param fileText - the text of the file, after a byte order mark or none
 * @returns integers that a double cannot hold as bigint
 * @throws SyntaxError where it is not JSON, or gives a member of an object twice: programs differ in which of them they take,
 *   and Go joins two objects of one name
 */
export function parseFileJson(fileText: string): unknown {
  const text = withoutByteOrderMark(fileText);
  // Its message names the place or the text of the fault.
  JSON.parse(text);
  try {
    return readJson(text, MAX_DEPTH);
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    throw new SyntaxError(error.message.replace('invalid request: ', ''));
  }
}
