import {
  formatTransactionReceipt,
  type Address,
  type Client,
  type Hash,
  type Hex,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import { UnexpectedReceiptError } from '../errors/privacy-errors.js';
import { codesOf, reasonOf } from '../errors/request-error.js';
import { callMethod } from '../wire/call-method.js';

/** What a transaction left at one node, in its public or its private state. */
export interface PrivateReceipt extends TransactionReceipt {
  /** Whether the node has the payload; where it has not, status and logs say nothing of the transaction. */
  readonly isParty: boolean;
  /** Whether the transaction on the chain is a privacy marker, and this the receipt of what is behind it. */
  readonly isBehindMarker: boolean;
  /** What a revert returned, on nodes that show it. */
  readonly revertData: Hex | undefined;
}

interface ReceiptMembers extends RpcTransactionReceipt {
  readonly isPrivacyMarkerTransaction?: boolean;
  readonly revertReason?: Hex;
}

/** V of a private transaction. */
const PRIVATE_V = ['0x25', '0x26'];

/**
 * The receipt at this node; undefined while the transaction is not mined.
 *
 * @throws UnexpectedReceiptError for the receipt of another transaction
 */
export async function findPrivateReceipt(client: Client, hash: Hash): Promise<PrivateReceipt | undefined> {
  const found = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  if (found === null) return undefined;
  const members = found as ReceiptMembers;
  const about = String(members.transactionHash);
  if (about.toLowerCase() !== hash.toLowerCase()) throw new UnexpectedReceiptError({ hash, found: about });
  if (members.isPrivacyMarkerTransaction === true) return receiptBehindMarker(client, members);
  const isParty = await hasPayload(client, hash);
  return receiptOf(members, { isParty, isBehindMarker: false });
}

/** A private transaction that is on the chain itself is signed with v 37 or 38, and its data is a hash. */
async function hasPayload(client: Client, hash: Hash): Promise<boolean> {
  const transaction = await client.request({ method: 'eth_getTransactionByHash', params: [hash] });
  if (transaction === null || !PRIVATE_V.includes(transaction.v)) return true;
  return (await callMethod(client, 'eth_getChainPayload', transaction.input)) !== '0x';
}

async function receiptBehindMarker(client: Client, marker: ReceiptMembers): Promise<PrivateReceipt> {
  const { transactionHash: hash } = marker;
  const found =
    (await absent(callMethod(client, 'eth_getPrivateTransactionReceipt', hash))) ??
    (await absent(callMethod(client, 'priv_getTransactionReceipt', hash)));
  if (found === null) return receiptOf(marker, { isParty: false, isBehindMarker: true });
  const { contractAddress, from, to, logs, logsBloom, status } = found;
  const behind = { ...marker, contractAddress, from, to, logs, logsBloom, status } as ReceiptMembers;
  const revertData =
    'output' in found && found.output !== '0x' ? found.output : (found as ReceiptMembers).revertReason;
  return receiptOf(
    { ...behind, ...(revertData === undefined ? {} : { revertReason: revertData }) },
    { isParty: true, isBehindMarker: true },
  );
}

/** JSON-RPC code of a method that the node does not serve. */
const METHOD_NOT_FOUND = -32601;

/** Null where there is no such transaction behind the marker, or where the node does not serve its kind. */
async function absent<Found>(answer: Promise<Found>): Promise<Found | null> {
  try {
    return await answer;
  } catch (error) {
    const isOtherKind = reasonOf(error) === 'MARKER_TRANSACTION_NOT_FOUND';
    if (isOtherKind || codesOf(error).includes(METHOD_NOT_FOUND)) return null;
    throw error;
  }
}

function receiptOf(
  { revertReason, isPrivacyMarkerTransaction: _, ...members }: ReceiptMembers,
  seen: Pick<PrivateReceipt, 'isParty' | 'isBehindMarker'>,
): PrivateReceipt {
  const formatted = formatTransactionReceipt(members) as TransactionReceipt;
  return { ...formatted, ...seen, revertData: revertReason };
}

/** The contract that the transaction is about: the one it called, or the one it created. */
export function contractOf({ to, contractAddress }: PrivateReceipt): Address | undefined {
  return to ?? contractAddress ?? undefined;
}
