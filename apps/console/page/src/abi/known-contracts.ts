import { keccak256, numberToHex, stringToBytes } from 'viem/utils';
import type { Network } from '../api/shapes.js';

/**
 * What the network says of an address; undefined when it says nothing.
 * @param management - contracts of extensions, in lower case
 */
export function knownAs(
  { nodes, rollup, labels }: Pick<Network, 'nodes' | 'rollup' | 'labels'>,
  management: readonly string[],
  address: string,
): string | undefined {
  const wanted = address.toLowerCase();
  const labelled = labels.find((one) => one.address.toLowerCase() === wanted);
  if (labelled !== undefined) return labelled.label;
  if (rollup?.contract?.toLowerCase() === wanted) return 'the contract of the rollup';
  if (management.includes(wanted)) return 'the management contract of an extension';
  const node = nodes.find((one) => one.address.toLowerCase() === wanted);
  if (node !== undefined) return `the account of the key of node ${node.name}`;
  return precompileName(BigInt(wanted));
}

/** Sources: Ethereum Yellow Paper, appendix E; EIP-152, EIP-2537, EIP-4844, EIP-7951; GoQuorum, core/vm/contracts.go */
const PRECOMPILES: Readonly<Record<string, string>> = {
  1: 'ecrecover',
  2: 'SHA-256',
  3: 'RIPEMD-160',
  4: 'identity',
  5: 'modular exponentiation',
  6: 'BN254 addition',
  7: 'BN254 multiplication',
  8: 'BN254 pairing',
  9: 'BLAKE2b',
  10: 'KZG point evaluation',
  122: 'privacy markers',
  256: 'P-256 verification',
};

function precompileName(address: bigint): string | undefined {
  const name = address >= 11n && address <= 17n ? 'BLS12-381' : PRECOMPILES[address.toString()];
  return name === undefined ? undefined : `the address of the precompile of ${name}`;
}

/** Slots of proxies. Source: EIP-1967 */
export const PROXY_SLOTS = (['implementation', 'admin', 'beacon'] as const).map((role) => ({
  role,
  slot: BigInt(keccak256(stringToBytes(`eip1967.proxy.${role}`))) - 1n,
}));

/** The address in a word; undefined for none. */
export const addressInWord = (word: string | undefined): string | undefined =>
  word === undefined || BigInt(word) === 0n || BigInt(word) >= 2n ** 160n
    ? undefined
    : numberToHex(BigInt(word), { size: 20 });
