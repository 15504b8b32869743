import type { AgreementBlock, AgreementPair, KeyPair, StatedBlocks } from '@tetrad/node-store';
import type { ExchangeStore } from '../src/exchange/exchange-parts.js';
import { pairName } from '../src/results/payload-parties.js';

/** As the store on PostgreSQL: what is sent again by then is not hastened. */
const SOON_MS = 5_000;

/** Rows in memory, which can be set back to what they were. */
export class MemoryStore implements ExchangeStore {
  head: number | undefined;
  pairs = new Map<string, AgreementPair>();
  blocks = new Map<string, AgreementBlock>();
  /** Gets each row that is stored. */
  onSaved: (row: AgreementBlock) => void = () => undefined;

  /** The rows as they are now, for a later `MemoryStore`. */
  copy(): MemoryStore {
    const copy = new MemoryStore();
    copy.head = this.head;
    copy.pairs = new Map(this.pairs);
    copy.blocks = new Map(this.blocks);
    return copy;
  }

  async findHead() {
    return this.head;
  }

  async stateBlocks({ number, rows, dropped }: StatedBlocks) {
    this.head = number;
    for (const row of dropped) this.blocks.delete(nameOf(row, row.block));
    for (const { own, other, ...row } of rows) {
      const name = pairName({ own, other });
      if (!this.pairs.has(name)) this.pairs.set(name, newPair({ own, other }, row.block));
      await this.save([{ own, other, ...row }]);
    }
  }

  async skipTo(number: number) {
    this.head = number;
  }

  async findKnown(keys: KeyPair, block: number) {
    const pair = this.pairs.get(pairName(keys));
    return pair && { pair, row: this.blocks.get(nameOf(keys, block)) };
  }

  async findBlock(pair: KeyPair, block: number) {
    return this.blocks.get(nameOf(pair, block));
  }

  async listBlock(block: number) {
    return [...this.blocks.values()].filter((row) => row.block === block);
  }

  /** All: which blocks have private receipts is not stored here. */
  async listBusy({ from, to }: { readonly from: number; readonly to: number }, max: number) {
    const length = Math.min(max, to - from + 1);
    return Array.from({ length }, (_, index) => ({ number: from + index, hasRows: true }));
  }

  async listDue(nowMs: number, max: number) {
    const due = [...this.blocks.values()].filter(({ nextAtMs = Infinity }) => nextAtMs <= nowMs);
    return due.sort((a, b) => (a.nextAtMs ?? 0) - (b.nextAtMs ?? 0) || a.block - b.block).slice(0, max);
  }

  async save(rows: readonly AgreementBlock[]) {
    for (const row of rows) {
      this.blocks.set(nameOf(row, row.block), row);
      this.onSaved(row);
    }
  }

  async settle(rows: readonly (KeyPair & Pick<AgreementBlock, 'block'>)[]) {
    for (const row of rows) this.blocks.delete(nameOf(row, row.block));
  }

  async hear(pair: KeyPair, { signer, atMs }: { readonly signer: string; readonly atMs: number }) {
    const known = this.pairs.get(pairName(pair));
    if (known === undefined) return;
    const { firstSigner = signer } = known;
    const heard = { firstSigner, lastSigner: signer, heardAtMs: atMs, carriesMessages: true };
    this.pairs.set(pairName(pair), { ...known, ...heard });
  }

  async hasten(pair: KeyPair, nowMs: number, max: number) {
    const isWaiting = (row: AgreementBlock) =>
      pairName(row) === pairName(pair) && isOpen(row) && row.ownStatement !== undefined;
    const waiting = [...this.blocks.values()].filter(
      (row) => isWaiting(row) && (row.nextAtMs ?? 0) > nowMs + SOON_MS,
    );
    waiting.sort((a, b) => a.sends - b.sends || a.block - b.block);
    for (const row of waiting.slice(0, max)) await this.save([{ ...row, nextAtMs: nowMs }]);
  }

  async countUnanswered(pair: KeyPair) {
    const isOfPair = (row: AgreementBlock) => pairName(row) === pairName(pair);
    return [...this.blocks.values()].filter((row) => isOfPair(row) && row.ownStatement === undefined).length;
  }

  async setBack(block: number, nowMs: number) {
    this.head = Math.min(this.head ?? -1, block - 1);
    for (const [name, row] of this.blocks) {
      if (row.block < block) continue;
      if (row.state === 'undisclosed') this.blocks.delete(name);
      if (row.state === 'diverged') this.blocks.set(name, { ...row, sent: 0, nextAtMs: nowMs });
    }
    for (const [name, pair] of this.pairs)
      this.pairs.set(name, { ...pair, since: Math.min(pair.since, block) });
  }

  async countAwaited() {
    return [...this.blocks.values()].filter(isOpen).length;
  }

  async putOff(pair: KeyPair, untilMs: number, carriesMessages: boolean) {
    const known = this.pairs.get(pairName(pair));
    if (known !== undefined) this.pairs.set(pairName(pair), { ...known, carriesMessages });
    for (const [name, row] of this.blocks)
      if (pairName(row) === pairName(pair) && (row.nextAtMs ?? Infinity) < untilMs)
        this.blocks.set(name, { ...row, nextAtMs: untilMs });
  }
}

function isOpen({ state }: AgreementBlock): boolean {
  return state === 'pending' || state === 'comparing';
}

function newPair(pair: KeyPair, since: number): AgreementPair {
  return {
    ...pair,
    since,
    agreedBlock: undefined,
    firstSigner: undefined,
    lastSigner: undefined,
    heardAtMs: undefined,
    carriesMessages: true,
  };
}

function nameOf(pair: KeyPair, block: number): string {
  return `${pairName(pair)} ${block}`;
}
