import { asBuffer, namesOf } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import { validatorSet, validatorVote } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { toBytes } from '../validator-addresses.js';
import type { OpenVote } from '../validator-rows.js';

const { block, validator, recipient, untilBlock } = validatorVote.columns;

const CLOSE = `
  UPDATE ${validatorVote.table} AS vote SET ${untilBlock} = $1
    FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS closed (block, validator, recipient)
   WHERE (vote.${block}, vote.${validator}, vote.${recipient}) = (closed.block, closed.validator, closed.recipient)`;

const OPEN = `
  INSERT INTO ${validatorVote.table} (${namesOf(validatorVote, ['block', 'validator', 'recipient', 'isAdd'])})
  SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::boolean[])`;

const APPEND_SET = `
  INSERT INTO ${validatorSet.table} (${namesOf(validatorSet, ['fromBlock', 'validators'])}) VALUES ($1, $2)`;

/** Ends votes with the block. */
export async function closeVotes(
  statements: Statements,
  blockNumber: number,
  votes: readonly OpenVote[],
): Promise<void> {
  const values = [blockNumber, ...keysOf(votes)];
  await statements.query({ name: 'close-validator-votes', text: CLOSE, values });
}

export async function openVotes(statements: Statements, votes: readonly OpenVote[]): Promise<void> {
  const values = [...keysOf(votes), votes.map(({ isAdd }) => isAdd)];
  await statements.query({ name: 'open-validator-votes', text: OPEN, values });
}

/** Adds the set that holds after the block. */
export async function appendSet(
  statements: Statements,
  blockNumber: number,
  validators: readonly Address[],
): Promise<void> {
  const values = [blockNumber, toBytes(validators)];
  await statements.query({ name: 'append-validator-set', text: APPEND_SET, values });
}

const REMOVE_SET = `DELETE FROM ${validatorSet.table} WHERE ${validatorSet.columns.fromBlock} = $1`;

/** Removes the set that holds from the block on, if one does. */
export async function removeSet(statements: Statements, blockNumber: number): Promise<void> {
  await statements.query(REMOVE_SET, [blockNumber]);
}

function keysOf(votes: readonly OpenVote[]): [number[], Buffer[], Buffer[]] {
  return [
    votes.map((vote) => vote.block),
    votes.map((vote) => asBuffer(addressToBytes(vote.validator))),
    votes.map((vote) => asBuffer(addressToBytes(vote.recipient))),
  ];
}
