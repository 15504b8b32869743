import type { AgreementBlock, AgreementContract, KeyPair } from '@tetrad/node-store';
import type { OwnListed } from '../outcome/own-list.js';
import type { PairResults } from '../results/block-results.js';
import { pairName } from '../results/payload-parties.js';
import type { ExchangeParts } from './exchange-parts.js';
import { statedIn } from '../statement/block-statement.js';
import { emptyRow, compared, withStatement } from './own-statement.js';

/** Blocks with something to state after which sending and hearing have their turn, and all blocks. */
const MAX_AT_ONCE = 64;
const MAX_SCANNED = 1_024;
/** Behind the chain by more than this, older blocks are stated: only as fast as the other parties answer. */
const CATCHING_UP = 256;
const MAX_AWAITED = 128;
/** Since when a party that answers has stated something. */
const ANSWERS_MS = 10 * 60_000;

/** Blocks without shared transactions after which the head is stored all the same. */
const STORED_EVERY = 64;

/** What came of a turn. */
export interface Advance {
  readonly isBehind: boolean;
  readonly hasStated: boolean;
}

/** States what followed blocks did, one after the other. */
export class StateBlocks {
  private stated: number | undefined;
  private stored = -1;

  constructor(
    private readonly parts: Pick<
      ExchangeParts,
      'chainId' | 'genesisHash' | 'nodeKey' | 'store' | 'results' | 'followed' | 'hashOf' | 'clock'
    >,
  ) {}

  /** The last block that was stated; undefined before the first call of `advance`. */
  get head(): number | undefined {
    return this.stated;
  }

  /**
   * States followed blocks, some at a time. A node that has just begun with it begins at the block it is at. Blocks without private
   * transactions cost two statements of SQL for a thousand of them.
   * @param isStopped - asked between two blocks
   * @returns whether there are more that can be stated now, and whether something was stated
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE, KEY_UNAVAILABLE; the blocks before are stated then
   */
  async advance(isStopped: () => boolean): Promise<Advance> {
    const head = this.stated ?? (await this.begin());
    const { followed, store } = this.parts;
    const last = Math.min(followed(), head + MAX_SCANNED);
    let count = 0;
    if (last <= head) return { isBehind: false, hasStated: false };
    const busy = new Set(await store.listBusy(head + 1, last));
    for (let number = head + 1; number <= last && count < MAX_AT_ONCE && !isStopped(); number++) {
      const isBusy = busy.has(number);
      if (isBusy && followed() - number >= CATCHING_UP && (await this.isAwaiting()))
        return { isBehind: false, hasStated: count > 0 };
      await (isBusy ? this.state(number) : this.skip(number));
      this.stated = number;
      if (isBusy) count += 1;
    }
    return { isBehind: (this.stated ?? head) < followed() && !isStopped(), hasStated: count > 0 };
  }

  /** Has blocks stated again from one on; later ones than the head are not begun earlier. */
  async setBack(block: number): Promise<void> {
    const head = this.stated ?? (await this.begin());
    await this.parts.store.setBack(block, this.parts.clock.now());
    this.stated = Math.min(head, block - 1);
    this.stored = Math.min(this.stored, block - 1);
  }

  private async isAwaiting(): Promise<boolean> {
    const { store, clock } = this.parts;
    return (await store.countAwaited(clock.now() - ANSWERS_MS)) >= MAX_AWAITED;
  }

  private async begin(): Promise<number> {
    const { store, followed } = this.parts;
    const found = await store.findHead();
    const head = found ?? followed();
    if (found === undefined) await store.skipTo(head);
    this.stored = head;
    this.stated = head;
    return head;
  }

  private async state(number: number): Promise<void> {
    const { store, results } = this.parts;
    const [found, stored] = [await results.read(number), await store.listBlock(number)];
    if (found.length === 0 && stored.length === 0) return this.skip(number);
    const { known, dropped } = await this.check(number, stored);
    const contracts: AgreementContract[] = found.flatMap((one) => [...one.contracts.values()]);
    const rows = await this.rowsOf(number, found, known);
    await store.stateBlock({ number, dropped, rows, contracts });
    this.stored = number;
  }

  /** Nothing is stated of the block; the head is stored now and then. */
  private async skip(number: number): Promise<void> {
    if (number - this.stored < STORED_EVERY) return;
    await this.parts.store.skipTo(number);
    this.stored = number;
  }

  /** A statement that came before the block could not be compared with its hash then. */
  private async check(number: number, stored: readonly AgreementBlock[]) {
    const hash = await this.parts.hashOf(number);
    const isOfBlock = ({ otherStatement }: AgreementBlock) =>
      otherStatement === undefined || statedIn(otherStatement).blockHash === hash;
    return { known: stored.filter(isOfBlock), dropped: stored.filter((row) => !isOfBlock(row)) };
  }

  private async rowsOf(
    number: number,
    found: readonly PairResults[],
    known: readonly AgreementBlock[],
  ): Promise<AgreementBlock[]> {
    const lists = new Map(found.map(({ pair, list }) => [pairName(pair), list]));
    const pairs = new Map([...found.map(({ pair }) => pair), ...known].map((one) => [pairName(one), one]));
    const rows: AgreementBlock[] = [];
    for (const [name, pair] of pairs) {
      const before = known.find((row) => pairName(row) === name);
      rows.push(await this.rowOf(pair, { number, before, list: lists.get(name) ?? [] }));
    }
    return rows;
  }

  /** A party that states something of a block of which we have nothing gets an empty list. */
  private async rowOf(
    { own, other }: KeyPair,
    block: {
      readonly number: number;
      readonly before: AgreementBlock | undefined;
      readonly list: readonly OwnListed[];
    },
  ): Promise<AgreementBlock> {
    const { number, before, list } = block;
    const row = before ?? emptyRow({ own, other }, number, this.parts.clock.now());
    return compared(await withStatement(this.parts, row, list));
  }
}
