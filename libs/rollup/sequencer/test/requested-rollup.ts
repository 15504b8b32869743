import { connectDatabase, type Database } from '@tetrad/db';
import { jointKeyHash, multiplyGenerator, operationHash, totalIndex } from '@tetrad/rollup-crypto';
import { balanceOf, balanceTree, type Account, type RollupOperation } from '@tetrad/rollup-state';
import {
  openRollupStore,
  type ProvedHolding,
  type StoredRequest,
  type RollupStore,
} from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import { RollupUser, deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { Sequencer } from '../src/index.js';

export const DOMAIN = 31337n;
export const OPERATOR_SECRET = 23n;
export const OPERATOR_KEY = multiplyGenerator(OPERATOR_SECRET);
export const RECIPIENT = '0x00000000000000000000000000000000000000a1';
export const REQUESTS = {
  progress: [{ tokenId: 0, progress: 1_000n, held: 100n }],
  rates: { requests: 21, deposits: 10, accepted: 0.25 },
};
const HASH = hashFromBytes(new Uint8Array(32).fill(1));
const TABLES = [
  'operation',
  'account',
  'account_version',
  'money_order',
  'batch',
  'tree_node',
  'deposit',
  'chain_block',
  'token',
  'requested_operation',
  'opaque_place',
  'credit',
];

export type Requested = Extract<RollupOperation, { kind: 'outboundTransfer' | 'redeemMoneyOrder' }>;

/** Three accounts of which each has an order of 50, and the first another one of 60, with what its holders ask the contract for. */
export class RequestedRollup {
  sequencer: Sequencer;
  users: readonly RollupUser[] = [];
  creations: readonly RollupOperation[] = [];
  block = 0;

  private constructor(
    readonly database: Database,
    readonly store: RollupStore,
    private readonly testDatabase: TestDatabase,
  ) {
    this.sequencer = this.newSequencer();
  }

  static async open(): Promise<RequestedRollup> {
    const testDatabase = await createTestDatabase('rollup-operator');
    const database = await connectDatabase({ url: testDatabase.url });
    return new RequestedRollup(database, openRollupStore(database), testDatabase);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
  }

  /** Batch 1 creates the accounts, batch 2 makes the orders. */
  async reset(): Promise<void> {
    await this.database.pool.query(
      `TRUNCATE ${TABLES.join()};
       UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
              assembled_height = 0, version = version + 1`,
    );
    const random = seededRandom(3);
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    this.users = [1, 2, 3].map((id) => new RollupUser(id, OPERATOR_KEY, DOMAIN, draw));
    this.creations = this.users.map((user) => user.create());
    this.sequencer = this.newSequencer();
    this.block = 0;
    for (const creation of this.creations) await this.accept(creation);
    await this.run();
    const amounts = [50n, 50n, 50n, 60n];
    await this.advance({
      deposits: amounts.map((amount, index) => ({
        index,
        accountId: (index % 3) + 1,
        tokenId: 0,
        amount,
        sender: ZERO_ADDRESS,
        blockNumber: 1,
      })),
    });
    await this.run();
  }

  accept(operation: RollupOperation) {
    if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
      throw new TypeError('only what is signed is accepted');
    return this.store.accept({ hash: operationHash(DOMAIN, operation), operation });
  }

  async advance(events: object): Promise<void> {
    this.block += 1;
    await this.store.advanceChain({ tokens: [], deposits: [], requests: [], ...events }, [
      { number: this.block, hash: HASH },
    ]);
  }

  /** Executes what there is, and closes and assembles what came of it. */
  async run(): Promise<void> {
    await this.sequencer.executePending({ requests: REQUESTS });
    await this.sequencer.sealOpenBatch();
    while ((await this.sequencer.assembleNext()) !== undefined);
  }

  /** The chain takes all batches. */
  async finalize(): Promise<void> {
    const { assembledHeight } = await this.store.readHead();
    const batches: number[] = [];
    for (let height = (await this.store.finalHeight()) + 1; height <= assembledHeight; height += 1) {
      batches.push(height);
      await this.store.changeBatch(
        { height, from: 'sealed' },
        { state: 'final', blockNumber: height, blockHash: HASH, transactionHash: HASH },
      );
    }
    await this.advance({ batches });
  }

  /**
   * A request as the contract has it.
   * @param progress - at which it has had its share
   */
  async ask(
    operation: Requested,
    progress: bigint,
    { height = 2, proved = this.fresh(operation) }: { height?: number; proved?: ProvedHolding } = {},
  ): Promise<void> {
    const place = { blockNumber: this.block + 1, logIndex: 0 };
    await this.advance({ requested: [this.requestOf(operation, { ...place, height, proved })] });
    await this.store.measureRequest(place, { since: 5, progress });
  }

  /** Requests of accounts without an operation, in one block; each has had its share one unit after the one before. */
  async askAll(operations: readonly Requested[], progress: number, height: number): Promise<void> {
    const blockNumber = this.block + 1;
    await this.advance({
      requested: operations.map((operation, logIndex) =>
        this.requestOf(operation, { blockNumber, logIndex, height, proved: this.fresh(operation) }),
      ),
    });
    await this.database.pool.query(
      'UPDATE requested_operation SET since = 5, progress = $2 + log_index WHERE block_number = $1',
      [blockNumber, progress],
    );
  }

  private requestOf(
    operation: Requested,
    at: Pick<StoredRequest, 'blockNumber' | 'logIndex' | 'height' | 'proved'>,
  ): StoredRequest {
    const { tokenId, amount } = operation.kind === 'outboundTransfer' ? operation : operation.order;
    const { nonce } = operation;
    return { ...at, tokenId, amount, nonce, operation, hash: operationHash(DOMAIN, operation) };
  }

  /** What the holder proves of its account as it is. */
  static holding(account: Account, tokenId: number): ProvedHolding {
    const { id, publicKey, jointKey, blindingFactor, nonce, redemptionIndex, consent } = account;
    return {
      id,
      publicKey,
      blindingFactor,
      nonce,
      redemptionIndex,
      tokenId,
      consent,
      jointKey: { hash: jointKeyHash(jointKey) },
      balance: balanceOf(account, tokenId),
      siblings: balanceTree(account).path(tokenId),
    };
  }

  async placeOf(operation: RollupOperation) {
    const found = await this.store.findOperation(operationHash(DOMAIN, operation as Requested));
    return [found?.status, found?.batchHeight, found?.batchIndex];
  }

  redeem(user: number, index: number, amount: bigint, nonce = 1): Requested {
    const owner = this.users[index % 3] as RollupUser;
    const order = depositOrder(deposit(index, owner, 0, amount));
    return (this.users[user] as RollupUser).redeem(order, totalIndex(2, index), nonce) as Requested;
  }

  transferOut(user: number, amount: bigint, nonce: number): Requested {
    return (this.users[user] as RollupUser).transferOut(RECIPIENT, 0, amount, nonce) as Requested;
  }

  /** Of an account before its first operation. */
  private fresh(operation: Requested): ProvedHolding {
    const id = operation.kind === 'outboundTransfer' ? operation.fromAccountId : operation.order.toAccountId;
    const creation = this.creations[id - 1];
    if (creation?.kind !== 'createAccount') throw new TypeError('no such account');
    const { publicKey, jointKey, blindingFactor } = creation;
    const numbers = { nonce: 0, redemptionIndex: 0, balances: new Map<number, bigint>(), consent: 0n };
    return RequestedRollup.holding({ id, publicKey, jointKey, blindingFactor, ...numbers }, 0);
  }

  private newSequencer(): Sequencer {
    return new Sequencer(this.store, { domain: DOMAIN, batchSize: 4, operatorSecrets: [OPERATOR_SECRET] });
  }
}
