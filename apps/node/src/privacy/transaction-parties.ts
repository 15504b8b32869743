import type { TransactionParties } from '@tetrad/node-agreement';
import { TransactionDecodeError } from '@tetrad/node-execution';
import { stored } from '@tetrad/node-extension';
import type { Ledger } from '@tetrad/node-ledger';
import { payloadHashOf, readRestricted } from '@tetrad/node-private-state';
import type { StoredPrivateReceipt } from '@tetrad/node-store';
import { bytesFromHex, type Address } from '@tetrad/types';
import type { PrivateParts, Privacy } from './open-privacy.js';

/** Executed transactions that are remembered: they are stated once, and asked about for a while. */
const MAX_REMEMBERED = 10_000;

/** With which all parties know each other. */
const STATE_VALIDATION = 3;

/** The parties of executed private transactions, as this node's manager knows them. */
export function transactionParties(
  ledger: Ledger,
  { decode }: Pick<Privacy, 'decode'>,
  { manager }: Pick<PrivateParts, 'manager'>,
): (receipt: StoredPrivateReceipt) => Promise<TransactionParties | undefined> {
  const known = new Map<string, TransactionParties>();
  const find = async (receipt: StoredPrivateReceipt): Promise<TransactionParties | undefined> => {
    const { to, payload } = await sentBy(receipt);
    if (payload === undefined) return undefined;
    const found = stored(await manager.find(payload));
    if (found === undefined) return undefined;
    const { sender, managedParties: own = [], privacyFlag } = found;
    const areKnownToAll = privacyFlag === STATE_VALIDATION;
    const isSender = sender !== undefined && own.includes(sender);
    // A recipient knows of itself and the sender alone.
    const all = isSender || areKnownToAll ? (stored(await manager.participants(payload)) ?? []) : own;
    return { sender, own, all, areKnownToAll, to };
  };
  const sentBy = async ({ raw, blockNumber, index }: StoredPrivateReceipt) => {
    const restricted = readRestricted(raw, ledger.genesis.chainId);
    if (restricted === undefined) return decoded(raw, decode);
    // It carries no hash itself: that of its payload is in the transaction of the block.
    const block = await ledger.findBlock(blockNumber);
    const marker = block?.transactions[index];
    return { to: restricted.to, payload: marker && hashIn(marker.data) };
  };
  return async (receipt) => {
    const remembered = known.get(receipt.hash);
    if (remembered !== undefined) return remembered;
    const parties = await find(receipt);
    if (parties === undefined) return undefined;
    known.set(receipt.hash, parties);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return parties;
  };
}

interface Sent {
  readonly to: Address | undefined;
  /** Hash, 64 bytes. */
  readonly payload: Uint8Array | undefined;
}

function decoded(raw: Uint8Array, decode: Privacy['decode']): Sent {
  try {
    const { to, data } = decode(raw);
    return { to, payload: hashIn(data) };
  } catch (error) {
    if (error instanceof TransactionDecodeError) return { to: undefined, payload: undefined };
    throw error;
  }
}

function hashIn(data: Uint8Array): Uint8Array | undefined {
  const hash = payloadHashOf(data);
  return hash && bytesFromHex(hash);
}
