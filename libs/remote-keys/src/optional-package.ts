import { RemoteKeyError } from './remote-key-error.js';

/**
 * Loads a package that only users of one kind of key service install.
 *
 * @param version - with which it was tested
 * @throws RemoteKeyError UNSUPPORTED naming what to install, or why it cannot be loaded
 */
export async function loadOptional<T>(name: string, version: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    const problem = isMissing ? 'is not installed' : `cannot be loaded (${message.split('\n')[0]})`;
    throw new RemoteKeyError('UNSUPPORTED', `the package ${name} ${problem}: npm install ${name}@${version}`);
  }
}
