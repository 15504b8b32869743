import type { Account, AccountRecord, Missing, StateSource, Word, World } from '@tetrad/node-evm';
import type { Hash } from '@tetrad/types';
import type { BlockContext } from '../executor/block-context.js';
import { accountKey, slotKey } from './state-keys.js';
import type { WorldState } from './world-state.js';

/** Data that an execution missed, as plain values for another thread. */
export type Supplied =
  | { readonly kind: 'account'; readonly address: Word; readonly record: AccountRecord | null }
  | { readonly kind: 'slot'; readonly address: Word; readonly slot: Word; readonly value: Word }
  | { readonly kind: 'code'; readonly hash: Hash; readonly bytes: Uint8Array }
  | { readonly kind: 'blockHash'; readonly number: number; readonly hash: Hash | undefined };

/** An account, and then its slot. */
const MAX_FETCHES = 2;

/**
 * Reads what an execution on another thread, on top of the world and in the block, is missing.
 * @param options.world - nothing else executes in it
 * @throws whatever the storage fails with
 */
export async function supplyOf(
  { world, block }: { readonly world: WorldState; readonly block: Pick<BlockContext, 'findBlockHash'> },
  missing: readonly Missing[],
): Promise<Supplied[]> {
  await loadInto(world.evm, missing);
  return Promise.all(missing.map((item) => supplyOne(world, block, item)));
}

/** Brings accounts and slots into the world's table, in one set each. */
async function loadInto(evm: World, missing: readonly Missing[]): Promise<void> {
  for (let fetches = 0; fetches <= MAX_FETCHES; fetches++) {
    for (const item of missing) readFrom(evm, item);
    if (!evm.journal.hasMissing) return;
    await evm.journal.fetch();
  }
  throw new Error('data is still missing after it was fetched');
}

function readFrom(evm: World, item: Missing): void {
  if (item.kind !== 'account' && item.kind !== 'slot') return;
  const account = evm.account(item.address);
  if (account !== undefined && item.kind === 'slot') evm.slot(account, item.slot);
}

async function supplyOne(
  world: WorldState,
  block: Pick<BlockContext, 'findBlockHash'>,
  item: Missing,
): Promise<Supplied> {
  if (item.kind === 'code') return { ...item, bytes: await readCode(world, item.hash) };
  if (item.kind === 'blockHash') return { ...item, hash: await block.findBlockHash(item.number) };
  const account = world.evm.account(item.address) as Account;
  if (item.kind === 'account') return { ...item, record: recordOf(account) };
  return { ...item, value: world.evm.slot(account, item.slot)?.value ?? 0 };
}

/** A copy: the bytes read may be a view of a much larger buffer, which would be transferred whole. */
async function readCode(world: WorldState, hash: Hash): Promise<Uint8Array> {
  const own = world.evm.changed.find(({ code, codeHash }) => code !== undefined && codeHash === hash);
  return (own?.code?.bytes ?? (await world.readCodeByHash(hash))).slice();
}

/** The account as executions find it that begin now. */
function recordOf(account: Account): AccountRecord | null {
  if (!account.exists) return null;
  const { nonce, balance, codeHash, cleared, stored, hasStored, changedSlots } = account;
  return {
    nonce,
    balance: BigInt(balance),
    codeHash,
    hasStorage: !cleared && (stored?.hasStorage ?? false),
    hasSlots: hasStored || changedSlots.length > 0,
  };
}

/** A state that is supplied by another thread; supplied values stay as long as the object. */
export class SuppliedState implements StateSource {
  private readonly accounts = new Map<string, AccountRecord | null>();
  private readonly slots = new Map<string, Word>();
  private readonly codes = new Map<Hash, Uint8Array>();

  constructor(private readonly ask: (missing: readonly Missing[]) => Promise<readonly Supplied[]>) {}

  account(address: Word): AccountRecord | null | undefined {
    return this.accounts.get(accountKey(address));
  }

  slot(address: Word, slot: Word): Word | undefined {
    return this.slots.get(accountKey(address) + slotKey(slot));
  }

  code(hash: Hash): Uint8Array | undefined {
    return this.codes.get(hash);
  }

  async fetch(missing: readonly Missing[]): Promise<void> {
    for (const item of await this.ask(missing)) {
      if (item.kind === 'account') this.accounts.set(accountKey(item.address), item.record);
      else if (item.kind === 'code') this.codes.set(item.hash, item.bytes);
      else if (item.kind === 'slot')
        this.slots.set(accountKey(item.address) + slotKey(item.slot), item.value);
    }
  }
}
