import { MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, Address as EvmAddress, unpadBytes } from '@ethereumjs/util';
import { describe, expect, it } from '@jest/globals';
import { hashFromBytes, hexFromBytes, type Hash } from '@tetrad/types';
import fc from 'fast-check';
import { MemoryState } from '../testing/memory-state.js';
import type { StateDatabase } from './state-database.js';
import { EMPTY_TRIE_ROOT } from './trie.js';
import type { WorldState } from './world-state.js';

/** The plainest thing that can hold a state: maps, copied whole at every checkpoint. */
interface ModelAccount {
  nonce: bigint;
  balance: bigint;
  code: Uint8Array;
  storage: Map<number, Uint8Array>;
}
type Model = Map<number, ModelAccount>;

const copyModel = (model: Model): Model =>
  new Map([...model].map(([id, account]) => [id, { ...account, storage: new Map(account.storage) }]));

const address = (id: number) => new EvmAddress(new Uint8Array(20).fill(id + 1));
const slotBytes = (slot: number) => new Uint8Array(32).fill(slot);

const account = fc.integer({ min: 0, max: 4 });
const slot = fc.integer({ min: 0, max: 3 });
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('account' as const),
      account,
      nonce: fc.bigInt(0n, 3n),
      balance: fc.bigInt(0n, 9n),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      account,
      slot,
      value: fc.uint8Array({ maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('code' as const),
      account,
      code: fc.uint8Array({ maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), account }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), account }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('checkpoint' as const, 'commit' as const, 'revert' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('block' as const, 'restart' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** World and model side by side. */
class Pair {
  model: Model = new Map();
  private readonly saved: Model[] = [];
  readonly roots: { root: Hash; model: Model }[] = [];
  private database: StateDatabase;

  constructor(
    private readonly memory: MemoryState,
    private world: WorldState,
  ) {
    this.database = memory.database;
  }

  async apply(step: Operation): Promise<void> {
    switch (step.kind) {
      case 'account':
        return this.putAccount(step);
      case 'slot':
        return this.putSlot(step.account, step.slot, step.value);
      case 'code':
        return this.putCode(step.account, step.code);
      case 'delete':
        this.model.delete(step.account);
        return this.world.deleteAccount(address(step.account));
      case 'clear':
        this.model.get(step.account)?.storage.clear();
        return this.world.clearStorage(address(step.account));
      case 'checkpoint':
        this.saved.push(copyModel(this.model));
        return this.world.checkpoint();
      case 'commit':
        if (this.saved.pop() !== undefined) await this.world.commit();
        return;
      case 'revert':
        return this.revert();
      case 'block':
      case 'restart':
        return this.endBlock(step.kind === 'restart');
    }
  }

  private async putAccount({
    account: id,
    nonce,
    balance,
  }: {
    account: number;
    nonce: bigint;
    balance: bigint;
  }) {
    const before = this.model.get(id);
    this.model.set(id, { code: new Uint8Array(0), storage: new Map(), ...before, nonce, balance });
    const existing = (await this.world.getAccount(address(id))) ?? new Account();
    existing.nonce = nonce;
    existing.balance = balance;
    await this.world.putAccount(address(id), existing);
  }

  private async putSlot(id: number, key: number, value: Uint8Array): Promise<void> {
    const target = this.model.get(id);
    if (target === undefined) return;
    const trimmed = unpadBytes(value);
    if (trimmed.length === 0) target.storage.delete(key);
    else target.storage.set(key, trimmed);
    await this.world.putStorage(address(id), slotBytes(key), value);
  }

  private async putCode(id: number, code: Uint8Array): Promise<void> {
    const target = this.model.get(id);
    if (target === undefined) return;
    target.code = code;
    await this.world.putCode(address(id), code);
  }

  private async revert(): Promise<void> {
    const before = this.saved.pop();
    if (before === undefined) return;
    this.model = before;
    await this.world.revert();
  }

  async endBlock(restart: boolean): Promise<void> {
    while (this.saved.pop() !== undefined) await this.world.commit();
    const root = this.memory.store(await this.world.commitBlock());
    expect(root).toBe(await rootOf(this.model));
    this.roots.push({ root, model: copyModel(this.model) });
    if (restart) this.database = this.memory.reopened();
    this.world = await this.database.openWorld(root);
  }

  async compare(): Promise<void> {
    await compare(this.world, this.model);
  }

  /** Every root that was ever stored still gives its state. */
  async compareHistory(): Promise<void> {
    for (const { root, model } of this.roots)
      await compare(await this.memory.database.openWorld(root), model);
  }
}

async function compare(world: WorldState, model: Model): Promise<void> {
  for (let id = 0; id < 5; id++) {
    const expected = model.get(id);
    const actual = await world.getAccount(address(id));
    expect(actual === undefined ? undefined : [actual.nonce, actual.balance]).toEqual(
      expected === undefined ? undefined : [expected.nonce, expected.balance],
    );
    expect(hexFromBytes(await world.getCode(address(id)))).toBe(
      hexFromBytes(expected?.code ?? new Uint8Array(0)),
    );
    for (let key = 0; key < 4; key++) {
      const value = await world.getStorage(address(id), slotBytes(key));
      expect(hexFromBytes(value)).toBe(hexFromBytes(expected?.storage.get(key) ?? new Uint8Array(0)));
    }
  }
}

/** Root of the same accounts in EthereumJS' own state manager, built from nothing. */
async function rootOf(model: Model): Promise<Hash> {
  const oracle = new MerkleStateManager();
  for (const [id, { nonce, balance, code, storage }] of model) {
    await oracle.putAccount(address(id), new Account(nonce, balance));
    if (code.length > 0) await oracle.putCode(address(id), code);
    for (const [key, value] of storage) await oracle.putStorage(address(id), slotBytes(key), value);
  }
  await oracle.flush();
  return hashFromBytes(await oracle.getStateRoot());
}

const emptyRoot = hashFromBytes(EMPTY_TRIE_ROOT);

describe('WorldState', () => {
  it('agrees with a naive state and with the root of the EthereumJS state manager', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 60 }), async (steps) => {
        const memory = new MemoryState();
        const pair = new Pair(memory, await memory.database.openWorld(emptyRoot));
        for (const step of steps) {
          await pair.apply(step);
          await pair.compare();
        }
        await pair.endBlock(false);
        await pair.compare();
        await pair.compareHistory();
      }),
      { numRuns: 150 },
    );
  });
});
