import { numberToHex, type Client, type Hash } from 'viem';
import { reasonOf } from '../errors/request-error.js';
import { callMethod } from '../wire/call-method.js';
import { contractOf, type PrivateReceipt } from './private-receipt.js';

/** What a transaction left at the node of one party. */
export interface PartyOutcome {
  readonly isParty: boolean;
  readonly status: PrivateReceipt['status'];
  /** Root of the contract's storage after the block; undefined where there is no contract. */
  readonly storageRoot: Hash | undefined;
  /** Whether status, logs and storage root are those of the node that was asked first. */
  readonly agrees: boolean;
}

/** The node's view of the transaction, in a form that can be compared. */
interface View {
  readonly receipt: PrivateReceipt;
  readonly storageRoot: Hash | undefined;
}

/** A node's receipt with the storage root of the contract after its block. */
export async function viewOf(client: Client, receipt: PrivateReceipt): Promise<View> {
  return { receipt, storageRoot: await storageRootAfter(client, receipt) };
}

/** What each of the others came to, in their order. */
export function compareViews(own: View, others: readonly View[]): PartyOutcome[] {
  const expected = comparable(own);
  return others.map((other) => ({
    isParty: other.receipt.isParty,
    status: other.receipt.status,
    storageRoot: other.storageRoot,
    agrees: other.receipt.isParty && comparable(other) === expected,
  }));
}

function comparable({ receipt: { status, contractAddress, logs }, storageRoot }: View): string {
  const content = logs.map(({ address, topics, data }) => [address, topics, data]);
  return JSON.stringify([status, contractAddress, content, storageRoot]).toLowerCase();
}

async function storageRootAfter(client: Client, receipt: PrivateReceipt): Promise<Hash | undefined> {
  const contract = contractOf(receipt);
  if (contract === undefined) return undefined;
  try {
    return await callMethod(client, 'eth_storageRoot', contract, numberToHex(receipt.blockNumber));
  } catch (error) {
    if (reasonOf(error) === 'STATE_OBJECT_NOT_FOUND') return undefined;
    throw error;
  }
}
