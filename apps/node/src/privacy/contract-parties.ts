import { EMPTY_KECCAK } from '@tetrad/crypto';
import { TransactionDecodeError } from '@tetrad/node-execution';
import { findKnownParties, type PartyStates } from '@tetrad/node-extension';
import type { Ledger } from '@tetrad/node-ledger';
import { StoredMetadata, payloadHashOf } from '@tetrad/node-private-state';
import { bytesFromHex, type Address } from '@tetrad/types';
import type { PrivateParts, Privacy } from './open-privacy.js';

type KnownParties = Awaited<ReturnType<typeof findKnownParties>>;

/** The parties of a contract as far as this node has proof of them, at the head of its private state. */
export function contractParties(
  ledger: Ledger,
  privacy: Pick<Privacy, 'decode'>,
  own: PrivateParts,
): (contract: Address) => Promise<KnownParties> {
  const { store, manager, follower } = own;
  const states = partyStates(ledger, own);
  const metadata = () => new StoredMetadata(store, follower.head);
  const known = { store, manager, states, metadata, payloadHashOf: payloadOf(privacy) };
  return (contract) => findKnownParties(known, contract);
}

/** The contract's accounts of this node's private state, by block. */
export function partyStates(ledger: Ledger, { view }: Pick<PrivateParts, 'view'>): PartyStates {
  return {
    demand: (block) => view.demand(block),
    hashOf: async (block) => (await ledger.findBlock(block))?.hash,
    rootAt: (block) => view.rootAt(block),
    async findState(contract, block) {
      const account = await (await view.worldAt(block)).findAccount(contract);
      return account === undefined || account.codeHash === EMPTY_KECCAK ? undefined : account;
    },
  };
}

/** The payload hash of an executed transaction; undefined for a restricted one, which carries its payload itself. */
function payloadOf({ decode }: Pick<Privacy, 'decode'>): (raw: Uint8Array) => Uint8Array | undefined {
  return (raw) => {
    try {
      const hash = payloadHashOf(decode(raw).data);
      return hash && bytesFromHex(hash);
    } catch (error) {
      if (error instanceof TransactionDecodeError) return undefined;
      throw error;
    }
  };
}
