import { nearest, packageVersion } from '@tetrad/service/command-words';
import { UsageError } from '../usage-error.js';
import { commands } from './command-list.js';

/** What `./tetrad --version` prints. */
export function launcherVersion(): string {
  return packageVersion(new URL('..', import.meta.url).href);
}

/** For a word that is no command: says so, and which one may have been meant. */
export function unknownCommand(name: string): UsageError {
  return new UsageError(`unknown command ${name}${nearest(name, Object.keys(commands))}; --help lists them`);
}
