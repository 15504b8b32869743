import { pathToFileURL } from 'node:url';
import { nearest, packageVersion } from '@tetrad/service/command-words';
import { ROOT } from '@tetrad/devnet/paths';
import { UsageError } from '@tetrad/devnet/usage-error';
import { commands } from './command-list.js';

/** The output of `./tetrad --version`. */
export function launcherVersion(): string {
  return packageVersion(pathToFileURL(`${ROOT}apps/cli/src/`).href);
}

/** The error for an unknown command, with the most similar command. */
export function unknownCommand(name: string): UsageError {
  return new UsageError(`unknown command ${name}${nearest(name, Object.keys(commands))}; --help lists them`);
}
