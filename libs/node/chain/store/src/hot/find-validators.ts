import { columnsOf, type SqlRow } from '@tetrad/db';
import { addressFromBytes } from '@tetrad/types';
import { validatorSet, validatorVote } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { toAddresses } from '../validator-addresses.js';
import type { StoredSnapshot } from '../validator-rows.js';

const { fromBlock } = validatorSet.columns;
const FIND_SET = `
  SELECT ${columnsOf(validatorSet, ['validators'])} FROM ${validatorSet.table}
   WHERE ${fromBlock} <= $1 ORDER BY ${fromBlock} DESC LIMIT 1`;

const VOTE_FIELDS = ['block', 'validator', 'recipient', 'isAdd'] as const;
const { block, untilBlock } = validatorVote.columns;
const FIND_VOTES = `
  SELECT ${columnsOf(validatorVote, VOTE_FIELDS)} FROM ${validatorVote.table}
   WHERE ${block} <= $1 AND (${untilBlock} IS NULL OR ${untilBlock} > $1) ORDER BY ${block}`;

/** The validators after the block and the votes that are open; undefined when no set is stored for it. */
export async function findValidators(
  statements: Statements,
  blockNumber: number,
): Promise<StoredSnapshot | undefined> {
  const values = [blockNumber];
  const [sets, votes] = await Promise.all([
    statements.query<SqlRow<typeof validatorSet, 'validators'>>({
      name: 'find-validator-set',
      text: FIND_SET,
      values,
    }),
    statements.query<SqlRow<typeof validatorVote, (typeof VOTE_FIELDS)[number]>>({
      name: 'find-validator-votes',
      text: FIND_VOTES,
      values,
    }),
  ]);
  const [set] = sets.rows;
  if (set === undefined) return undefined;
  return {
    validators: toAddresses(set.validators),
    votes: votes.rows.map((row) => ({
      block: row.block,
      validator: addressFromBytes(row.validator),
      recipient: addressFromBytes(row.recipient),
      isAdd: row.isAdd,
    })),
  };
}
