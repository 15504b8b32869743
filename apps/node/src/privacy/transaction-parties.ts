import type { TransactionParties } from '@tetrad/node-agreement';
import { TransactionDecodeError, decodeStoredTransaction } from '@tetrad/node-execution';
import { stored } from '@tetrad/node-extension';
import type { Ledger } from '@tetrad/node-ledger';
import {
  payloadHashOf,
  readRestricted,
  type KnownParties,
  type PayloadHash,
} from '@tetrad/node-private-state';
import type { StoredPrivateReceipt } from '@tetrad/node-store';
import { bytesFromHex, type Address } from '@tetrad/types';
import type { PrivateParts } from './open-privacy.js';

/** With which all parties know each other. */
const STATE_VALIDATION = 3;

/** The parties of executed private transactions, as this node's manager knows them. */
export function transactionParties(
  ledger: Ledger,
  { manager, payloads }: Pick<PrivateParts, 'manager' | 'payloads'>,
): (receipt: StoredPrivateReceipt) => Promise<TransactionParties | undefined> {
  const { recentParties } = payloads;
  /** What was executed a moment ago is known from there. */
  const find = async (payload: PayloadHash): Promise<KnownParties | undefined> => {
    const found = recentParties.find(payload) ?? stored(await manager.find(bytesFromHex(payload)));
    if (found === undefined || found.participants !== undefined) return found;
    const participants = stored(await manager.participants(bytesFromHex(payload))) ?? [];
    const parties = { ...found, participants };
    recentParties.add(payload, parties);
    return parties;
  };
  const { chainId } = ledger.genesis;
  const sentBy = async (receipt: StoredPrivateReceipt): Promise<Sent> => {
    const { raw, blockNumber, index } = receipt;
    const restricted = readRestricted(raw, chainId);
    if (restricted === undefined) return decoded(receipt, chainId);
    // It carries no hash itself: that of its payload is in the transaction of the block.
    const block = await ledger.findBlock(blockNumber);
    const marker = block?.transactions[index];
    return { to: restricted.to, payload: marker && payloadHashOf(marker.data) };
  };
  return async (receipt) => {
    const { to, payload } = await sentBy(receipt);
    const found = payload && (await find(payload));
    if (found === undefined) return undefined;
    const { sender, managedParties: own = [], participants: all = [], privacyFlag } = found;
    return { sender, own, all, areKnownToAll: privacyFlag === STATE_VALIDATION, to };
  };
}

interface Sent {
  readonly to: Address | undefined;
  readonly payload: PayloadHash | undefined;
}

/** Its sender was recovered when it was executed, which is most of what decoding costs. */
function decoded({ raw, sender, hash }: StoredPrivateReceipt, chainId: bigint): Sent {
  try {
    const { to, data } = decodeStoredTransaction(raw, { chainId, sender, hash });
    return { to, payload: payloadHashOf(data) };
  } catch (error) {
    if (error instanceof TransactionDecodeError) return { to: undefined, payload: undefined };
    throw error;
  }
}
