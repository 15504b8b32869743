import type { AgreementBlock, AgreementContract, BusyBlock, KeyPair, StatedBlocks } from '@tetrad/node-store';
import type { OwnListed } from '../outcome/own-list.js';
import type { PairResults } from '../results/block-results.js';
import { pairName } from '../results/payload-parties.js';
import type { ExchangeParts } from './exchange-parts.js';
import { statedIn } from '../statement/block-statement.js';
import { emptyRow, compared, withStatement } from './own-statement.js';

/** Blocks with something to state after which sending and hearing have their turn, and all blocks. */
const MAX_AT_ONCE = 64;
const MAX_SCANNED = 1_024;
/** Of the first, those that are stored together. */
const MAX_TOGETHER = 16;
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

/** What is stated of one block. */
type StatedBlock = Omit<StatedBlocks, 'number'>;

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
   * transactions cost one statement of SQL for a thousand of them.
   * @param isStopped - asked between two blocks
   * @returns whether there are more that can be stated now, and whether something was stated
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE, KEY_UNAVAILABLE; the blocks before are stated then
   */
  async advance(isStopped: () => boolean): Promise<Advance> {
    const head = this.stated ?? (await this.begin());
    const { followed, store } = this.parts;
    const last = Math.min(followed(), head + MAX_SCANNED);
    const room = last <= head ? 0 : await this.roomAfter(head);
    if (room === 0) return { isBehind: false, hasStated: false };
    const busy = await store.listBusy({ from: head + 1, to: last }, room);
    for (let next = 0; next < busy.length && !isStopped(); next += MAX_TOGETHER)
      await this.stateTogether(busy.slice(next, next + MAX_TOGETHER), isStopped);
    if (busy.length < room && !isStopped()) await this.skipTo(last);
    return { isBehind: (this.stated ?? head) < followed() && !isStopped(), hasStated: busy.length > 0 };
  }

  /** Has blocks stated again from one on; later ones than the head are not begun earlier. */
  async setBack(block: number): Promise<void> {
    const head = this.stated ?? (await this.begin());
    await this.parts.store.setBack(block, this.parts.clock.now());
    this.stated = Math.min(head, block - 1);
    this.stored = Math.min(this.stored, block - 1);
  }

  /** How many blocks with something to state may be stated now. */
  private async roomAfter(head: number): Promise<number> {
    const { store, clock, followed } = this.parts;
    if (followed() - head <= CATCHING_UP) return MAX_AT_ONCE;
    const awaited = await store.countAwaited(clock.now() - ANSWERS_MS);
    return Math.min(MAX_AT_ONCE, Math.max(0, MAX_AWAITED - awaited));
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

  /** Stores those before one that fails. */
  private async stateTogether(busy: readonly BusyBlock[], isStopped: () => boolean): Promise<void> {
    const blocks: StatedBlock[] = [];
    let number = this.stated ?? -1;
    try {
      for (const block of busy) {
        if (isStopped()) break;
        blocks.push(await this.state(block));
        ({ number } = block);
      }
    } finally {
      await this.storeUpTo(number, blocks);
    }
  }

  private async storeUpTo(number: number, blocks: readonly StatedBlock[]): Promise<void> {
    const rows = blocks.flatMap((block) => block.rows);
    const dropped = blocks.flatMap((block) => block.dropped);
    const contracts = newestContracts(blocks.flatMap((block) => block.contracts));
    if (rows.length + dropped.length + contracts.length === 0) return this.skipTo(number);
    await this.parts.store.stateBlocks({ number, rows, dropped, contracts });
    this.stored = number;
    this.stated = number;
  }

  private async state({ number, hasRows }: BusyBlock): Promise<StatedBlock> {
    const { store, results } = this.parts;
    const found = await results.read(number);
    const stored = hasRows ? await store.listBlock(number) : [];
    const { known, dropped } = await this.check(number, stored);
    const contracts = found.flatMap((one) => [...one.contracts.values()]);
    const rows = await this.rowsOf(number, found, known);
    const names = new Set(rows.map(pairName));
    return { rows, contracts, dropped: dropped.filter((row) => !names.has(pairName(row))) };
  }

  /** Nothing is stated of the blocks up to this one; the head is stored now and then. */
  private async skipTo(number: number): Promise<void> {
    if (number - this.stored >= STORED_EVERY) {
      await this.parts.store.skipTo(number);
      this.stored = number;
    }
    this.stated = number;
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

/** The last of each contract and pair; one that was shared stays so. */
function newestContracts(contracts: readonly AgreementContract[]): AgreementContract[] {
  const newest = new Map<string, AgreementContract>();
  for (const one of contracts) {
    const name = `${one.contract} ${pairName(one)}`;
    newest.set(name, { ...one, isShared: one.isShared || newest.get(name)?.isShared === true });
  }
  return [...newest.values()];
}
