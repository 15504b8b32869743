import { mkdir } from 'node:fs/promises';
import { OperatorError } from '@tetrad/types';

/** Creates a data folder and its parents when they do not exist. Fails: OperatorError in words for the operator */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const problem = isFile ? 'it is a file, or in one' : (message.split(',', 1)[0] ?? message);
    throw new OperatorError(`data folder ${path}: ${problem}`, { cause: error });
  }
}
