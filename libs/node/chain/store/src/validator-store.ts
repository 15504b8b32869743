import { clientBytes, type Database } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import { findValidators } from './hot/find-validators.js';
import { listCandidates } from './hot/read-at-start.js';
import { appendSet, closeVotes, openVotes } from './hot/write-validators.js';
import type { InstanceLock } from './instance-lock.js';
import type { JoinedRows } from './joined-rows.js';
import type { NodeClient } from './node-client.js';
import { toBytes } from './validator-addresses.js';
import { writeReplacement, type ValidatorReplacement } from './validator-replacement.js';
import type { StoredSnapshot, ValidatorChange } from './validator-rows.js';

/**
 * Sets and votes after every block, and this node's candidates.
 *
 * Sets and votes are stored with the range of blocks in which they hold, so that a block without a vote costs nothing
 * and the snapshot of any block is two index look-ups (docs/adr/0102).
 */
export class ValidatorStore {
  constructor(
    private readonly database: Database,
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {}

  /** The snapshot after the block; undefined when no set is stored for it. */
  findSnapshot(blockNumber: number): Promise<StoredSnapshot | undefined> {
    return findValidators(this.database.pool, blockNumber);
  }

  /** Stores the set since block 0 for a chain that was created before sets were stored. */
  async initialise(validators: readonly Address[]): Promise<void> {
    await this.lock.hold();
    const calls = await this.client.calls();
    await calls.validatorSet.createMany({
      data: [{ fromBlock: 0n, validators: toBytes(validators) }],
      skipDuplicates: true,
    });
  }

  /** Replaces the set after the head by agreement of the operators. */
  async replace(replacement: ValidatorReplacement): Promise<void> {
    await this.lock.hold();
    await this.client.transaction((calls) => writeReplacement(calls, replacement));
  }

  /** Addresses that this node votes in (true) or out (false). */
  listCandidates(): Promise<Map<Address, boolean>> {
    return listCandidates(this.database.pool);
  }

  /** Durable when it resolves; the last value wins. */
  async putCandidate(candidate: Address, isAdd: boolean): Promise<void> {
    await this.lock.hold();
    const calls = await this.client.calls();
    const address = clientBytes(addressToBytes(candidate));
    await calls.validatorCandidate.upsert({
      where: { address },
      create: { address, isAdd },
      update: { isAdd },
    });
  }

  async removeCandidate(candidate: Address): Promise<void> {
    await this.lock.hold();
    const calls = await this.client.calls();
    await calls.validatorCandidate.deleteMany({
      where: { address: clientBytes(addressToBytes(candidate)) },
    });
  }
}

/** The rows of a block's changes; empty when it changes neither the set nor a vote. */
export function validatorRows(change: ValidatorChange | undefined): JoinedRows[] {
  if (change === undefined) return [];
  const { validators, opened, closed } = change;
  return [
    {
      async write(statements, blockNumber) {
        if (closed.length > 0) await closeVotes(statements, blockNumber, closed);
        if (opened.length > 0) await openVotes(statements, opened);
        if (validators !== undefined) await appendSet(statements, blockNumber, validators);
      },
    },
  ];
}
