import { MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, Address as EvmAddress, unpadBytes } from '@ethereumjs/util';
import { describe, expect, it } from '@jest/globals';
import type { Journal } from '@tetrad/node-evm';
import { addressFromBytes, hashFromBytes, hexFromBytes, type Address, type Hash } from '@tetrad/types';
import fc from 'fast-check';
import { MemoryState } from '../testing/memory-state.js';
import { flatEntries } from './flat-state.js';
import type { StateDatabase } from './state-database.js';
import { EMPTY_TRIE_ROOT } from './trie.js';
import type { WorldState } from './world-state.js';
import { WorldEditor } from '../testing/edit-world.js';

/** The simplest model of a state: maps, copied whole at every checkpoint. */
interface ModelAccount {
  nonce: bigint;
  balance: bigint;
  code: Uint8Array;
  storage: Map<number, Uint8Array>;
}
type Model = Map<number, ModelAccount>;
type Checkpoint = ReturnType<Journal['checkpoint']>;

const copyModel = (model: Model): Model =>
  new Map([...model].map(([id, account]) => [id, { ...account, storage: new Map(account.storage) }]));

const address = (id: number): Address => addressFromBytes(new Uint8Array(20).fill(id + 1));
const evmAddress = (id: number) => new EvmAddress(new Uint8Array(20).fill(id + 1));
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
      kind: fc.constantFrom('checkpoint' as const, 'commit' as const, 'revert' as const, 'copy' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('block' as const, 'restart' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** World and model side by side. */
class Pair {
  model: Model = new Map();
  private readonly saved: { readonly model: Model; readonly checkpoint: Checkpoint }[] = [];
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
        this.saved.length = 0;
        this.model.delete(step.account);
        return this.editor.remove(address(step.account));
      case 'clear':
        this.saved.length = 0;
        this.model.get(step.account)?.storage.clear();
        return this.editor.emptyStorage(address(step.account));
      case 'checkpoint': {
        const checkpoint = this.world.evm.journal.checkpoint();
        return void this.saved.push({ model: copyModel(this.model), checkpoint });
      }
      case 'commit':
        return void this.saved.pop();
      case 'copy':
        return this.copy();
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
    await this.editor.putAccount(address(id), nonce, balance);
  }

  private async putSlot(id: number, key: number, value: Uint8Array): Promise<void> {
    const target = this.model.get(id);
    if (target === undefined) return;
    const trimmed = unpadBytes(value);
    if (trimmed.length === 0) target.storage.delete(key);
    else target.storage.set(key, trimmed);
    await this.editor.putSlot(address(id), slotBytes(key), value);
  }

  private async putCode(id: number, code: Uint8Array): Promise<void> {
    const target = this.model.get(id);
    if (target === undefined) return;
    target.code = code;
    await this.editor.putCode(address(id), code);
  }

  private revert(): void {
    const before = this.saved.pop();
    if (before === undefined) return;
    this.model = before.model;
    this.world.evm.journal.revert(before.checkpoint);
  }

  /** Goes on with a copy; what happens in the world that was copied is not seen in it. */
  private async copy(): Promise<void> {
    this.endTransaction();
    const original = this.editor;
    this.world = this.world.copy();
    await original.putAccount(address(0), 77n, 77n);
    await original.remove(address(1));
  }

  private get editor(): WorldEditor {
    return new WorldEditor(this.world);
  }

  private endTransaction(): void {
    this.saved.length = 0;
    this.editor.end();
  }

  async endBlock(restart: boolean): Promise<void> {
    this.endTransaction();
    const changes = await this.world.commitBlock();
    // The world stays as it is: it gives the same again.
    expect((await this.world.commitBlock()).stateRoot).toBe(changes.stateRoot);
    const root = this.memory.store(changes);
    expect(root).toBe(await rootOf(this.model));
    this.roots.push({ root, model: copyModel(this.model) });
    if (restart) this.database = this.memory.reopened();
    this.world = await this.database.openWorld(root);
    await this.compareFlat();
  }

  /** Expects the flat state after all blocks to equal the contents of the tries. */
  private async compareFlat(): Promise<void> {
    const walked = new Map<string, Uint8Array>();
    for await (const { key, value } of flatEntries(this.world)) walked.set(hexFromBytes(key), value);
    const sorted = (entries: Map<string, Uint8Array>) =>
      [...entries].map(([key, value]) => `${key} ${hexFromBytes(value)}`).sort();
    expect(sorted(this.memory.entries)).toEqual(sorted(walked));
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
    const actual = await world.findAccount(address(id));
    expect(actual === undefined ? undefined : [actual.nonce, actual.balance]).toEqual(
      expected === undefined ? undefined : [expected.nonce, expected.balance],
    );
    expect(hexFromBytes(await world.readCode(address(id)))).toBe(
      hexFromBytes(expected?.code ?? new Uint8Array(0)),
    );
    for (let key = 0; key < 4; key++) {
      const value = await world.readSlot(address(id), slotBytes(key));
      expect(hexFromBytes(unpadBytes(value))).toBe(
        hexFromBytes(expected?.storage.get(key) ?? new Uint8Array(0)),
      );
    }
  }
}

/** Root of the same accounts in EthereumJS' own state manager, built from nothing. */
async function rootOf(model: Model): Promise<Hash> {
  const oracle = new MerkleStateManager();
  for (const [id, { nonce, balance, code, storage }] of model) {
    await oracle.putAccount(evmAddress(id), new Account(nonce, balance));
    if (code.length > 0) await oracle.putCode(evmAddress(id), code);
    for (const [key, value] of storage) await oracle.putStorage(evmAddress(id), slotBytes(key), value);
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
      { numRuns: 100 },
    );
  });
});
