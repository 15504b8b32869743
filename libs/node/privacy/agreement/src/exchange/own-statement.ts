import type { AgreementBlock, KeyPair } from '@tetrad/node-store';
import { compareStatements } from '../difference/compare-statements.js';
import { listDigest, type ToldList } from '../outcome/outcome-list.js';
import { ownListBytes, readOwnList, disclosedList, type OwnListed } from '../outcome/own-list.js';
import { signBlockStatement, statedIn } from '../statement/block-statement.js';
import { readListBytes } from '../statement/statement-details.js';
import type { ExchangeParts } from './exchange-parts.js';

type Signing = Pick<ExchangeParts, 'chainId' | 'genesisHash' | 'nodeKey' | 'hashOf' | 'clock'>;

/** In place of what a row has sent: its statement is due as the answer to one that came again, which is not answered itself. */
export const ANSWER_DUE = -1;

/** The row of a block of which nothing has been stated or heard. */
export function emptyRow(pair: KeyPair, block: number, nowMs: number): AgreementBlock {
  return {
    own: pair.own,
    other: pair.other,
    block,
    ownStatement: undefined,
    ownList: undefined,
    otherStatement: undefined,
    otherBefore: undefined,
    otherList: undefined,
    otherOutcome: undefined,
    ownRules: undefined,
    otherRules: undefined,
    state: 'pending',
    transaction: undefined,
    sent: 0,
    sends: 0,
    nextAtMs: undefined,
    madeAtMs: nowMs,
  };
}

/**
 * The row with a statement of the list: the one that it has, if that says the same, as other bytes were signed and sent then.
 *
 * A revision is the time in seconds, or one more than the last: a database that was restored has forgotten what it stated, and may
 * state something else then, which must not look as if it had stated two things at once.
 *
 * @throws RequestError KEY_UNAVAILABLE when the node key is in a service that does not sign
 */
export async function withStatement(
  parts: Signing,
  row: AgreementBlock,
  list: readonly OwnListed[],
): Promise<AgreementBlock> {
  const { chainId, genesisHash, nodeKey, hashOf, clock } = parts;
  const before = row.ownStatement && statedIn(row.ownStatement);
  const digest = listDigest(disclosedList(list));
  const ownList = ownListBytes(list);
  if (before?.digest === digest) return { ...row, ownList };
  const blockHash = await hashOf(row.block);
  if (blockHash === undefined) throw new Error(`block ${row.block} is not stored`);
  const now = Math.floor(clock.now() / 1_000);
  const revision = Math.max(now, before === undefined ? 0 : before.revision + 1);
  const { own: from, other: to, block } = row;
  const subject = { chainId, genesisHash, from, to, block, blockHash };
  const ownStatement = await signBlockStatement({ ...subject, revision, digest }, nodeKey);
  const unsent = { ownRules: undefined, sent: 0, sends: 0, nextAtMs: clock.now() };
  return { ...row, ownStatement, ownList, ...unsent };
}

/** The row in the state in which its statements and lists leave it. */
export function compared(row: AgreementBlock): AgreementBlock {
  const { ownList, otherStatement } = row;
  if (ownList === undefined || otherStatement === undefined)
    return { ...row, state: 'pending', transaction: undefined };
  const told: ToldList | undefined = row.otherList && readListBytes(row.otherList);
  const comparison = compareStatements(readOwnList(ownList), statedIn(otherStatement).digest, told);
  const transaction = comparison.state === 'diverged' ? comparison.transaction : undefined;
  return { ...row, state: comparison.state, transaction };
}

/** Whether both statements are there and say different things, so that lists are due. */
export function isDifferent({ ownStatement, otherStatement }: AgreementBlock): boolean {
  if (ownStatement === undefined || otherStatement === undefined) return false;
  return statedIn(ownStatement).digest !== statedIn(otherStatement).digest;
}

/** Whether nothing of the row is needed any more: both agree, and the other party has our statement. */
export function isSettled({ state, sent, otherBefore }: AgreementBlock): boolean {
  return state === 'agreed' && sent > 0 && otherBefore === undefined;
}
