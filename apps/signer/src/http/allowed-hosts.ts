import { OperatorError } from '@tetrad/types';

const ANY = ['*', 'all'];

/**
 * Names of hosts as the signing proxies write them: `all` for `*`, `none` for no name.
 *
 * Source: Consensys/web3signer, commandline: AllowListHostsProperty
 *
 * @param flag - for the error
 * @throws OperatorError when they cannot stand together
 */
export function allowedHosts(names: readonly string[], flag: string): readonly string[] {
  if (names.length > 1 && names.includes('none')) {
    throw new OperatorError(`${flag}: Value 'none' can't be used with other hostnames`);
  }
  if (names.length > 1 && names.some((name) => ANY.includes(name))) {
    throw new OperatorError(`${flag}: Values '*' or 'all' can't be used with other hostnames`);
  }
  if (names[0] === 'none') return [];
  return names.map((name) => (name === 'all' ? '*' : name));
}
