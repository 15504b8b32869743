import type { TableEntry } from '../word/word-table.js';
import type { Word } from '../word/word.js';
import type { Change, Journal } from './journal.js';

/** One storage slot of an account that executions have read. */
export class Slot implements TableEntry {
  hash = 0;
  value: Word;
  /** Whether it is among the changed slots of its account. */
  changed = false;
  private before: Word;
  private beforeOf = 0;
  private warmIn = 0;

  /** `stored` is the value under the world. */
  constructor(
    readonly key: Word,
    public stored: Word,
  ) {
    this.value = stored;
    this.before = stored;
  }

  /** The value before the transaction (EIP-1283). */
  original(journal: Journal): Word {
    return this.beforeOf === journal.transaction ? this.before : this.value;
  }

  set(value: Word, journal: Journal): void {
    if (this.beforeOf !== journal.transaction) {
      this.beforeOf = journal.transaction;
      this.before = this.value;
    }
    journal.record(new ValueChange(this, this.value));
    this.value = value;
  }

  /** A slot with the same value, as ended transactions have left it. */
  copy(): Slot {
    const copy = new Slot(this.key, this.stored);
    copy.value = this.value;
    return copy;
  }

  isWarm(journal: Journal): boolean {
    return this.warmIn === journal.transaction;
  }

  warm(journal: Journal): void {
    if (this.warmIn === journal.transaction) return;
    this.warmIn = journal.transaction;
    journal.record(new SlotWarmed(this));
  }

  cool(): void {
    this.warmIn = 0;
  }
}

/** One slot of transient storage (EIP-1153); empty in every other transaction. */
export class TransientSlot implements TableEntry {
  hash = 0;
  value: Word = 0;
  private transaction = 0;

  constructor(readonly key: Word) {}

  get(journal: Journal): Word {
    return this.transaction === journal.transaction ? this.value : 0;
  }

  set(value: Word, journal: Journal): void {
    journal.record(new ValueChange(this, this.get(journal)));
    this.transaction = journal.transaction;
    this.value = value;
  }
}

class ValueChange implements Change {
  constructor(
    private readonly slot: { value: Word },
    private readonly previous: Word,
  ) {}

  undo(): void {
    this.slot.value = this.previous;
  }
}

class SlotWarmed implements Change {
  constructor(private readonly slot: Slot) {}

  undo(): void {
    this.slot.cool();
  }
}
