import { decodeStoredTransaction, decodeTransaction, isPrivateTransaction } from '@tetrad/node-execution';
import type { PlacedTransaction, UnexecutedRows } from '@tetrad/node-store';
import { OperatorError, type SignedTransaction } from '@tetrad/types';
import { transactionBehind } from '../execution/marked-transaction.js';
import { hasPrivateWork } from '../execution/private-block.js';
import { payloadHashOf } from '../payload/payload-hash.js';
import type { PayloadSource, PrivatePayload } from '../payload/payload-source.js';
import { readRestricted } from '../restricted/restricted-transaction.js';

/** Blocks that this node executed as an outsider although it is a party to a private transaction in them. */
export interface MissedBlocks {
  /** The first one, from which private state is wrong; undefined without one. */
  readonly from: number | undefined;
  /** How many there are, and their numbers; at most 1,000 of them. */
  readonly count: number;
  readonly blocks: readonly number[];
}

export interface MissedBlocksParts {
  readonly rows: Pick<UnexecutedRows, 'findPrivateHead' | 'list'>;
  readonly payloads: PayloadSource;
  readonly chainId: bigint;
}

/** Transactions per query. */
const PAGE = 1_000;
/** Transactions whose payloads the manager is asked for at a time; it answers as many in one request. */
const TOGETHER = 64;
const MAX_NAMED = 1_000;

/**
 * Finds the blocks of which the manager has a payload by now that it did not have when they were executed. A marker whose
 * payload is about another transaction, or nothing, does not count; one that permissions or the nonce of a group refuse does,
 * since that takes the state of its time.
 * @throws OperatorError when the manager does not say whether it has a payload
 */
export async function missedBlocks(parts: MissedBlocksParts): Promise<MissedBlocks> {
  const { rows, chainId } = parts;
  const head = (await rows.findPrivateHead()) ?? -1;
  const missed = new Set<number>();
  for (let place = { number: -1, index: -1 }; ;) {
    const page = await rows.list(place, head, PAGE);
    const carriers = page.flatMap((row) => carrierIn(row, chainId) ?? []);
    for (let at = 0; at < carriers.length; at += TOGETHER) {
      const some = carriers.slice(at, at + TOGETHER);
      const found = await Promise.all(some.map((carrier) => canBeExecuted(carrier, parts)));
      for (const [index, { number }] of some.entries()) if (found[index] === true) missed.add(number);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    place = last;
  }
  const blocks = [...missed];
  return { from: blocks[0], count: blocks.length, blocks: blocks.slice(0, MAX_NAMED) };
}

/** A transaction whose data names a payload. */
interface Carrier {
  readonly number: number;
  readonly transaction: SignedTransaction;
}

/** A transaction to the marker address counts as private, in force or not. */
function carrierIn({ number, raw, sender }: PlacedTransaction, chainId: bigint): Carrier | undefined {
  const transaction = decodeStoredTransaction(raw, { chainId, sender });
  const kinds = { isPrivate: isPrivateTransaction, hasMarkers: true };
  return hasPrivateWork([transaction], kinds) ? { number, transaction } : undefined;
}

async function canBeExecuted(
  { number, transaction }: Carrier,
  { payloads, chainId }: MissedBlocksParts,
): Promise<boolean> {
  const find = (data: Uint8Array) => findPayload(data, number, payloads);
  const payload = await find(transaction.data);
  if (payload === undefined || isPrivateTransaction(transaction)) return payload !== undefined;
  const restricted = readRestricted(payload.data, chainId);
  if (restricted !== undefined)
    return payload.sender === undefined || payload.sender === restricted.privateFrom;
  const marked = transactionBehind(transaction, payload.data, (raw) => decodeTransaction(raw, chainId));
  if (marked === undefined) return false;
  // A creation leaves an account on the nodes that have the marker's payload, also where they do not have its own.
  return marked.to === undefined || (await find(marked.data)) !== undefined;
}

async function findPayload(
  data: Uint8Array,
  number: number,
  payloads: PayloadSource,
): Promise<PrivatePayload | undefined> {
  const hash = payloadHashOf(data);
  if (hash === undefined) return undefined;
  const answer = await payloads.find(hash);
  if (answer.kind === 'unavailable') throw new OperatorError(`block ${number}: ${answer.reason}`);
  return answer.kind === 'payload' ? answer.payload : undefined;
}
