import { OperatorError } from '@tetrad/types';
import { describeFileError } from './file-error.js';
import { makeFolder } from './make-folder.js';

/**
 * Creates a data folder and its parents when they do not exist.
 * @throws OperatorError in words for the operator
 */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const problem = isFile ? 'it is a file, or in one' : (describeFileError(error) ?? message);
    throw new OperatorError(`data folder ${path}: ${problem}`, { cause: error });
  }
}
