import { clientBytes } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import type { NodeCalls } from './node-client.js';
import { toBytes } from './validator-addresses.js';
import type { StoredConsensusRecord } from './validator-rows.js';

/** A set that replaces the one after the head, and what the validator of this node has signed of the next block. */
export interface ValidatorReplacement {
  readonly head: number;
  /** Undefined where the set after the head is stored already. */
  readonly validators: readonly Address[] | undefined;
  /** Record that replaces the stored one; undefined where that one stays. */
  readonly record: { readonly validator: Address; readonly row: StoredConsensusRecord } | undefined;
}

/** Writes all of it, or nothing, in the transaction of the calls; open votes end, as they were about another set. */
export async function writeReplacement(
  calls: NodeCalls,
  { head, validators, record }: ValidatorReplacement,
): Promise<void> {
  if (validators !== undefined) {
    const [fromBlock, set] = [BigInt(head), { validators: toBytes(validators) }];
    await calls.validatorSet.upsert({ where: { fromBlock }, create: { fromBlock, ...set }, update: set });
    await calls.validatorVote.updateMany({ where: { untilBlock: null }, data: { untilBlock: fromBlock } });
  }
  if (record === undefined) return;
  const validator = clientBytes(addressToBytes(record.validator));
  const row = {
    height: BigInt(record.row.height),
    round: BigInt(record.row.round),
    record: clientBytes(record.row.record),
  };
  await calls.consensusRecord.upsert({ where: { validator }, create: { validator, ...row }, update: row });
}
