import { addressFromWord } from '@tetrad/node-evm';
import type { Address, Hash } from '@tetrad/types';
import type { MetadataSource } from '../metadata/privacy-metadata.js';
import type { PrivatePayload } from '../payload/payload-source.js';
import { stateValidationRoot, type StorageRoots } from './state-validation-root.js';
import type { TwoWorlds } from './two-worlds.js';

/**
 * Compares the contracts that an execution entered with what its sender declared.
 *
 * Source: docs/spec/private-transactions.md#checks-of-parties
 *
 * @returns why the execution is invalid, or undefined
 */
export async function checkContracts(
  worlds: TwoWorlds,
  payload: PrivatePayload,
  { metadata, roots }: { readonly metadata: MetadataSource; readonly roots: StorageRoots },
): Promise<string | undefined> {
  const called = calledContracts(worlds);
  const found = await metadata.find(called);
  for (const address of called) {
    const own = found.get(address);
    if (own === undefined) {
      if (payload.privacyFlag !== 0) return `contract ${address} has no privacy metadata`;
    } else if (own.privacyFlag !== payload.privacyFlag) {
      return `contract ${address} has privacy flag ${own.privacyFlag}, the transaction has ${payload.privacyFlag}`;
    } else if (!payload.affectedCreations.has(own.creation)) {
      return `contract ${address} is not among the contracts that the sender declared as affected`;
    }
  }
  return checkRoot(payload.executionRoot, () => stateValidationRoot(worlds, roots));
}

/** Private contracts that existed before the execution and whose code it entered. */
export function calledContracts({ affected, privateWorld }: TwoWorlds): Address[] {
  const called = [...affected].flatMap(([address, by]) => (by === 'call' ? [address] : []));
  return called.filter((address) => privateWorld.account(address)?.exists === true).map(addressFromWord);
}

/**
 * Contracts of the private world that the execution entered, created or named, which all parties agree on as long as they have
 * the same state. What it named counts, since it may have acted on code or balance without entering the contract.
 * @returns in ascending order
 */
export function enteredContracts({ affected, named, privateWorld }: TwoWorlds): Address[] {
  const entered = [...affected].flatMap(([address, by]) =>
    by === 'creation' || privateWorld.account(address)?.exists === true ? [addressFromWord(address)] : [],
  );
  return [...new Set([...entered, ...[...named].map(addressFromWord)])].sort();
}

async function checkRoot(
  declared: Hash | undefined,
  compute: () => Promise<Hash | undefined>,
): Promise<string | undefined> {
  if (declared === undefined) return undefined;
  const root = await compute();
  return root === declared
    ? undefined
    : `state validation root is ${root ?? 'none'}, the sender has ${declared}`;
}
