import { zeroAddress } from 'viem';
import type { Network } from '../api/shapes.js';
import type { KeptAbi } from './kept-abi.js';

/**
 * What the operator calls addresses: labels of the endpoints file, nodes, the rollup, and contracts that offered ABI files are named for.
 * Files of readers name nothing: a reader who was sent one would take its word for the operator's.
 * @returns addresses in lower case; the label goes before other names
 */
export function namesOf(
  { nodes, rollup, labels }: Pick<Network, 'nodes' | 'rollup' | 'labels'>,
  abis: readonly KeptAbi[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { contract, use, isOffered } of abis)
    if (isOffered === true && use !== undefined && use !== 'any')
      names.set(use, withoutAddress(contract.name));
  if (rollup?.contract) names.set(rollup.contract.toLowerCase(), 'rollup');
  for (const { name, address } of nodes) names.set(address.toLowerCase(), name);
  for (const { address, label } of labels) names.set(address.toLowerCase(), label);
  // Written by hand for a node whose account is not known; and tokens come from there.
  names.delete(zeroAddress);
  return names;
}

/** `Token` of a file `Token.0x….json`. */
function withoutAddress(name: string): string {
  const bare = name.replace(/[._-]?0x[0-9a-f]{40}/i, '').replace(/\.json$/i, '');
  return bare === '' ? name : bare;
}

/** The address of that name, in any letter case; undefined where none, or more than one, has it. */
export function addressNamed(names: ReadonlyMap<string, string>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = [...names].filter(([, one]) => one.toLowerCase() === wanted);
  return found.length === 1 ? found[0]?.[0] : undefined;
}
