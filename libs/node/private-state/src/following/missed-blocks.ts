import { decodeStoredTransaction, isPrivateTransaction } from '@tetrad/node-execution';
import type { PlacedTransaction, UnexecutedRows } from '@tetrad/node-store';
import { OperatorError } from '@tetrad/types';
import { carriedPayloads } from '../execution/private-block.js';
import type { PayloadHash } from '../payload/payload-hash.js';
import type { PayloadSource } from '../payload/payload-source.js';

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
/** Payloads that the manager is asked for at a time; it answers as many in one request. */
const TOGETHER = 64;
const MAX_NAMED = 1_000;

/**
 * Finds the blocks of which the manager has a payload by now that it did not have when they were executed. A marker whose
 * payload is that of another transaction counts too.
 *
 * Fails: OperatorError when the manager does not say whether it has a payload
 */
export async function missedBlocks({ rows, payloads, chainId }: MissedBlocksParts): Promise<MissedBlocks> {
  const head = (await rows.findPrivateHead()) ?? -1;
  const missed = new Set<number>();
  for (let place = { number: -1, index: -1 }; ;) {
    const page = await rows.list(place, head, PAGE);
    const asked = page.flatMap((row) => payloadsOf(row, chainId).map((hash) => ({ ...row, hash })));
    for (let at = 0; at < asked.length; at += TOGETHER) {
      const some = asked.slice(at, at + TOGETHER);
      const found = await Promise.all(some.map(({ hash, number }) => isHere(hash, number, payloads)));
      for (const [index, { number }] of some.entries()) if (found[index] === true) missed.add(number);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    place = last;
  }
  const blocks = [...missed];
  return { from: blocks[0], count: blocks.length, blocks: blocks.slice(0, MAX_NAMED) };
}

/** A transaction to the marker address counts as private, in force or not. */
function payloadsOf({ raw, sender }: PlacedTransaction, chainId: bigint): readonly PayloadHash[] {
  const kinds = { isPrivate: isPrivateTransaction, hasMarkers: true };
  return carriedPayloads([decodeStoredTransaction(raw, { chainId, sender })], kinds);
}

async function isHere(hash: PayloadHash, number: number, payloads: PayloadSource): Promise<boolean> {
  const answer = await payloads.find(hash);
  if (answer.kind === 'unavailable') throw new OperatorError(`block ${number}: ${answer.reason}`);
  return answer.kind === 'payload';
}
