import { connectDatabase, type Database } from '@tetrad/db';
import { multiplyGenerator, operationHash } from '@tetrad/rollup-crypto';
import type { InboundTransfer, RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';

export const DOMAIN = 31337n;
export const OPERATOR_KEY = multiplyGenerator(23n);

/** The store of a rollup in a database of its own, with what the chain and account holders put there. */
export class TestSequence {
  private constructor(
    private readonly testDatabase: TestDatabase,
    readonly database: Database,
    readonly store: RollupStore,
  ) {}

  static async open(): Promise<TestSequence> {
    const testDatabase = await createTestDatabase('rollup-operator');
    const database = await connectDatabase({ url: testDatabase.url });
    return new TestSequence(testDatabase, database, openRollupStore(database));
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
  }

  /** Begins anew with an empty state. */
  async empty(): Promise<void> {
    await this.database.pool.query(
      `TRUNCATE operation, account, account_version, money_order, batch, tree_node, deposit, chain_block, token;
       UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
              assembled_height = 0, version = version + 1`,
    );
  }

  async addDeposits(deposits: readonly InboundTransfer[]): Promise<void> {
    const rows = deposits.map(({ index, accountId, tokenId, amount }) => ({
      index,
      accountId,
      tokenId,
      amount,
      sender: ZERO_ADDRESS,
      blockNumber: 1,
    }));
    const block = { number: 1, hash: hashFromBytes(new Uint8Array(32).fill(1)) };
    await this.store.advanceChain({ tokens: [], requests: [], deposits: rows }, [block]);
  }

  /** @returns the hash under which the operation waits */
  async accept(operation: RollupOperation): Promise<bigint> {
    if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
      throw new TypeError('only what is signed is accepted');
    const hash = operationHash(DOMAIN, operation);
    await this.store.accept({ hash, operation });
    return hash;
  }
}
