import { pathToFileURL } from 'node:url';
import { nearest, packageVersion } from '@tetrad/service/command-words';
import { ROOT } from '../paths.js';
import { UsageError } from '../usage-error.js';
import { commands } from './command-list.js';

/** What `./tetrad --version` prints. */
export function launcherVersion(): string {
  return packageVersion(pathToFileURL(`${ROOT}libs/devnet/src/`).href);
}

/** For a word that is no command: says so, and which one may have been meant. */
export function unknownCommand(name: string): UsageError {
  return new UsageError(`unknown command ${name}${nearest(name, Object.keys(commands))}; --help lists them`);
}
