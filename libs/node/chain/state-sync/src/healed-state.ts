import { EMPTY_ROOT } from '@tetrad/node-block';
import { EMPTY_KECCAK } from '@tetrad/crypto';
import {
  StateDatabase,
  decodeAccount,
  flatSlot,
  orderedDifference,
  type EntryDifference,
  type WorldState,
} from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import { hashToBytes, silentMetrics, type Hash, type Logger } from '@tetrad/types';
import { FetchedState } from './fetched-state.js';
import { PartRepair, type TakenPart } from './part-repair.js';
import type { SourcePool } from './source-pool.js';
import { accountsOf, placeAfterSlot, slotsOf } from './state-places.js';
import { nextKey } from './trie-keys.js';

export interface HealedStateOptions {
  readonly store: Pick<LedgerStore, 'stateSync' | 'findNode' | 'findCode' | 'findPreimage'>;
  readonly pool: SourcePool;
  /** The block whose state is taken, and its root. */
  readonly block: number;
  readonly stateRoot: Hash;
  readonly logger: Logger;
  /** Flat rows that are changed at once; many when absent. */
  readonly rows?: number | undefined;
}

/** A part of one state, and what makes it one of another. */
interface Healing {
  readonly part: TakenPart;
  readonly older: WorldState;
  readonly newer: WorldState;
  readonly repair: PartRepair;
}

/** Flat rows that are changed at once. */
const FLAT_ROWS = 8_192;

/**
 * Makes the accounts that were taken from earlier states those of the newest. All nodes of an earlier state that lead to what is in its
 * part are here, so both tries are compared from their tops down: where they have the same node, nothing is read.
 *
 * Cost: reads the paths to what differs, in both states; so many rows are in memory at once, also of one account
 */
export class HealedState {
  private readonly source: FetchedState;
  private readonly states: StateDatabase;

  constructor(private readonly options: HealedStateOptions) {
    this.source = new FetchedState(options);
    this.states = new StateDatabase({ source: this.source, metrics: silentMetrics });
  }

  /** @throws TargetLostError when no peer has what is missing */
  async run(): Promise<void> {
    const { logger, block } = this.options;
    for (let part = await this.stale(); part !== undefined; part = await this.stale()) {
      logger.info('bringing accounts up to a later state', { block });
      await this.heal(part);
    }
  }

  /** The first part that is of an earlier state. */
  private async stale(): Promise<TakenPart | undefined> {
    const { store, stateRoot } = this.options;
    const parts = (await store.stateSync.find())?.parts ?? [];
    const at = parts.findIndex(({ root }) => root !== stateRoot);
    const part = parts[at];
    return part && { ...part, end: parts[at + 1]?.from };
  }

  private async heal(part: TakenPart): Promise<void> {
    const { store, stateRoot, rows = FLAT_ROWS } = this.options;
    const older = await this.states.openWorld(part.root);
    const newer = await this.states.openWorld(stateRoot);
    const healing: Healing = { part, older, newer, repair: new PartRepair({ store, part, stateRoot, rows }) };
    const accounts = orderedDifference(older.accountTrie(), newer.accountTrie(), accountsOf(part));
    for await (const differences of accounts)
      for (const difference of differences) {
        await this.healAccount(healing, difference);
        await healing.repair.reach(nextKey(difference.key));
      }
    await healing.repair.end();
  }

  /** Adds what an account changes in the flat state, once its code is here. */
  private async healAccount(healing: Healing, difference: EntryDifference): Promise<void> {
    const { key, newer } = difference;
    const { repair, part } = healing;
    const address = await this.source.findPreimage(key);
    const { hasAccount, isWhole } = slotsOf(part, key);
    if (newer === undefined && isWhole) return repair.clear(address);
    if (hasAccount && newer === undefined) repair.remove(address);
    if (hasAccount && newer !== undefined) {
      const { codeHash } = decodeAccount(newer);
      if (codeHash !== EMPTY_KECCAK) await this.source.findCode(hashToBytes(codeHash));
      repair.put({ key: address, value: newer });
    }
    await this.healSlots(healing, difference, address);
  }

  private async healSlots(
    { repair, part, older, newer }: Healing,
    account: EntryDifference,
    address: Uint8Array,
  ): Promise<void> {
    const before = older.storageTrie(storageRootOf(account.older));
    const after = newer.storageTrie(storageRootOf(account.newer));
    for await (const slots of orderedDifference(before, after, slotsOf(part, account.key))) {
      const names = await Promise.all(slots.map(({ key }) => this.source.findPreimage(key)));
      for (const [index, { key, newer: value }] of slots.entries()) {
        const slot = names[index] as Uint8Array;
        if (value === undefined) repair.remove(Buffer.concat([address, slot]));
        else repair.put(flatSlot(address, slot, value));
        await repair.reach(placeAfterSlot(account.key, key));
      }
    }
  }
}

/** Of an account that there may not be. */
function storageRootOf(account: Uint8Array | undefined): Hash {
  return account === undefined ? EMPTY_ROOT : decodeAccount(account).storageRoot;
}
