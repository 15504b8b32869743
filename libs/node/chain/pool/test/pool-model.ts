import { expect } from '@jest/globals';
import { EMPTY_KECCAK } from '@tetrad/crypto';
import { EMPTY_ROOT } from '@tetrad/node-block';
import { createExecutor, defaultGenesis, parseGenesis, type AccountState } from '@tetrad/node-execution';
import type { PooledTransaction, StoredPooledTransaction } from '@tetrad/node-store';
import type { Address, Block, Hash, SignedTransaction } from '@tetrad/types';
import type { PoolChain } from '../src/pool-chain.js';

const settings = {
  chainId: 1337,
  extraData: '0x',
  engine: 'qbft',
  blockPeriodMs: 1000,
  balances: new Map(),
} as const;
const genesis = parseGenesis(defaultGenesis(settings));
const executor = createExecutor(genesis);

/** A journal in memory with the promises of the real one, that can be made to fail. */
export class ModelJournal {
  readonly rows = new Map<Hash, StoredPooledTransaction>();
  broken = false;
  private sequence = 0n;

  async append(row: PooledTransaction, gone: readonly Hash[] = []): Promise<void> {
    await Promise.resolve();
    if (this.broken) throw new Error('the database is unavailable');
    for (const hash of gone) this.rows.delete(hash);
    if (!this.rows.has(row.hash)) this.rows.set(row.hash, { ...row, sequence: this.sequence++ });
  }

  async load({ after = -1n, limit = 10n ** 9n } = {}): Promise<StoredPooledTransaction[]> {
    return [...this.rows.values()].filter(({ sequence }) => sequence > after).slice(0, Number(limit));
  }

  async remove(hashes: readonly Hash[]): Promise<void> {
    for (const hash of hashes) this.rows.delete(hash);
  }
}

/** A chain of which only nonces and balances matter. */
export class ModelChain {
  readonly nonces = new Map<Address, bigint>();
  readonly mined = new Set<Hash>();
  private listeners: ((block: Block) => void)[] = [];
  private block = { header: { number: 0, timestamp: 0n, gasLimit: 30_000_000n } } as unknown as Block;

  constructor(
    private readonly journal: ModelJournal,
    private readonly balanceOf: (sender: Address) => bigint = () => 10n ** 20n,
  ) {}

  open(): PoolChain {
    this.listeners = [];
    const world = { findAccount: async (address: Address) => this.account(address) };
    return {
      genesis,
      executor,
      clock: { now: () => 0, schedule: () => () => undefined },
      head: () => this.block,
      secondsOf: () => 0,
      worldAt: async () => world,
      onBlock: (listener: (block: Block) => void) => this.listeners.push(listener),
    } as unknown as PoolChain;
  }

  mine(transactions: readonly SignedTransaction[]): void {
    for (const { hash, sender, nonce } of transactions) {
      expect(nonce).toBe(this.nonces.get(sender) ?? 0n);
      this.nonces.set(sender, nonce + 1n);
      this.mined.add(hash);
      this.journal.rows.delete(hash);
    }
    this.block = { ...this.block, transactions };
    for (const listener of this.listeners) listener(this.block);
  }

  private account(address: Address): AccountState {
    const [nonce, balance] = [this.nonces.get(address) ?? 0n, this.balanceOf(address)];
    return { nonce, balance, codeHash: EMPTY_KECCAK, storageRoot: EMPTY_ROOT };
  }
}
