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
import type { LedgerStore, StatePart, StateRepair } from '@tetrad/node-store';
import { hashToBytes, silentMetrics, type Hash, type Logger } from '@tetrad/types';
import { FetchedState } from './fetched-state.js';
import { FlatChanges } from './flat-changes.js';
import type { SourcePool } from './source-pool.js';
import { FIRST_KEY, keyAfter } from './trie-keys.js';

export interface HealedStateOptions {
  readonly store: Pick<LedgerStore, 'stateSync' | 'findNode' | 'findCode' | 'findPreimage'>;
  readonly pool: SourcePool;
  /** The block whose state is taken, and its root. */
  readonly block: number;
  readonly stateRoot: Hash;
  readonly logger: Logger;
}

/** Accounts of one state, up to the end; undefined: the last one. */
interface Part extends StatePart {
  readonly end: Uint8Array | undefined;
}

/** Flat rows that are changed at once, unless one account has more. */
const FLAT_ROWS = 8_192;
const NO_VALUE = new Uint8Array(0);

/**
 * Makes the accounts that were taken from earlier states those of the newest. All nodes of an earlier state that lead to accounts of its
 * part are here, so both tries are compared from their tops down: where they have the same node, nothing is read.
 *
 * Cost: reads the paths to what differs, in both states; what one account changed is in memory at once
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
  private async stale(): Promise<Part | undefined> {
    const { store, stateRoot } = this.options;
    const parts = (await store.stateSync.find())?.parts ?? [];
    const at = parts.findIndex(({ root }) => root !== stateRoot);
    const part = parts[at];
    return part && { ...part, end: parts[at + 1]?.from };
  }

  private async heal({ from, end, root }: Part): Promise<void> {
    const { stateRoot } = this.options;
    const [older, newer] = [await this.states.openWorld(root), await this.states.openWorld(stateRoot)];
    let [begin, changes] = [from, new FlatChanges()];
    const store = async (upTo: Uint8Array | undefined) => {
      await this.repair({ from: begin, end: upTo, root, repaired: stateRoot, ...changes.rows });
      [begin, changes] = [upTo ?? begin, new FlatChanges()];
    };
    for await (const differences of orderedDifference(older.accountTrie(), newer.accountTrie(), {
      from,
      end,
    }))
      for (const difference of differences) {
        await this.addAccount(changes, difference, { older, newer });
        // No key follows the last one of all.
        if (changes.size >= FLAT_ROWS && !isLast(difference))
          await store(keyAfter({ entries: [{ key: difference.key, value: NO_VALUE }] }));
      }
    await store(undefined);
  }

  private async repair(repair: Omit<StateRepair, 'nodes' | 'codes' | 'preimages'>): Promise<void> {
    await this.options.store.stateSync.repair({ ...repair, nodes: [], codes: [], preimages: [] });
  }

  /** Adds what an account changes in the flat state, once its code is here. */
  private async addAccount(
    changes: FlatChanges,
    { key, older: before, newer: after }: EntryDifference,
    worlds: { readonly older: WorldState; readonly newer: WorldState },
  ): Promise<void> {
    const address = await this.source.findPreimage(key);
    if (after === undefined) return changes.clear(address);
    const { codeHash, storageRoot } = decodeAccount(after);
    if (codeHash !== EMPTY_KECCAK) await this.source.findCode(hashToBytes(codeHash));
    changes.put([{ key: address, value: after }]);
    const older = worlds.older.storageTrie(
      before === undefined ? EMPTY_ROOT : decodeAccount(before).storageRoot,
    );
    const all = { from: FIRST_KEY, end: undefined };
    for await (const slots of orderedDifference(older, worlds.newer.storageTrie(storageRoot), all)) {
      const names = await Promise.all(slots.map((slot) => this.source.findPreimage(slot.key)));
      for (const [index, { newer: value }] of slots.entries()) {
        const slot = names[index] as Uint8Array;
        if (value === undefined) changes.remove(Buffer.concat([address, slot]));
        else changes.put([flatSlot(address, slot, value)]);
      }
    }
  }
}

function isLast({ key }: EntryDifference): boolean {
  return key.every((byte) => byte === 0xff);
}
