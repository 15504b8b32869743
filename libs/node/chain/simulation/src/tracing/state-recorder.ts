import {
  addressFromWord,
  hashFromWord,
  type Account,
  type AccountFields,
  type AnsweredMessage,
  type Frame,
  type FrameOutcome,
  type Evm,
  type StepListener,
  type Word,
  type World,
} from '@tetrad/node-evm';
import type { Address, Hash } from '@tetrad/types';
import { loadAll } from './load-all.js';
import { noteTouches, type TouchSink } from './touches.js';
import type { TraceBudget } from './trace-budget.js';
import type { WholeAccount, WholeAccounts } from './traced-account.js';

/** Bytes that an account and a slot take in the answer, at least. */
const ACCOUNT_BYTES = 80;
const SLOT_BYTES = 140;

interface Touched {
  readonly key: Word;
  readonly slots: Map<Hash, Word>;
  /** The account before the transaction; undefined when the execution never reached it, so that it is unchanged. */
  before: { readonly fields: Readonly<AccountFields>; readonly slots: ReadonlyMap<Hash, Word> } | undefined;
}

/** Records the accounts and slots that are touched, and their values before. */
export class StateRecorder implements StepListener, TouchSink {
  readonly created = new Set<Address>();
  private readonly touched = new Map<Address, Touched>();

  constructor(
    private readonly world: World,
    private readonly budget: TraceBudget,
  ) {}

  account(key: Word): void {
    this.touch(key);
  }

  slot(key: Word, slot: Word): void {
    const { slots } = this.touch(key);
    const name = hashFromWord(slot);
    if (slots.has(name)) return;
    this.budget.spend(SLOT_BYTES);
    slots.set(name, slot);
  }

  step(evm: Evm, frame: Frame, op: number): void {
    noteTouches(evm, frame, op, this);
  }

  enter({ isCreation, account }: Frame): void {
    if (!isCreation) return;
    this.touch(account.key);
    this.created.add(addressFromWord(account.key));
  }

  leave({ depth }: Frame): void {
    if (depth === 0) this.rememberBefore();
  }

  answered({ depth }: AnsweredMessage, _outcome: FrameOutcome): void {
    if (depth === 0) this.rememberBefore();
  }

  /** The touched accounts and slots, before and after; call it after the transaction. */
  async read(): Promise<{ pre: WholeAccounts; post: WholeAccounts }> {
    const read = await loadAll(this.world, () =>
      [...this.touched].map(([address, touched]) => ({ address, ...this.readOne(touched) })),
    );
    for (const { pre, post } of read) {
      this.budget.spend(2 * (pre?.code.length ?? 0));
      if (post?.codeHash !== pre?.codeHash) this.budget.spend(2 * (post?.code.length ?? 0));
    }
    return {
      pre: new Map(read.map(({ address, pre }) => [address, pre])),
      post: new Map(read.map(({ address, post }) => [address, post])),
    };
  }

  private touch(key: Word): Touched {
    const address = addressFromWord(key);
    let touched = this.touched.get(address);
    if (touched === undefined) {
      this.budget.spend(ACCOUNT_BYTES);
      touched = { key, slots: new Map(), before: undefined };
      this.touched.set(address, touched);
    }
    return touched;
  }

  /** The transaction is not over yet: what it began with is still known. */
  private rememberBefore(): void {
    for (const touched of this.touched.values()) {
      const account = this.world.known(touched.key);
      if (account === undefined) continue;
      const slots = new Map<Hash, Word>();
      for (const [name, key] of touched.slots) {
        const slot = account.slots.get(key);
        if (slot !== undefined) slots.set(name, slot.original(this.world.journal));
      }
      const { exists, nonce, balance, codeHash, code } = account.original();
      touched.before = { fields: { exists, nonce, balance, codeHash, code }, slots };
    }
  }

  private readOne({ key, slots, before }: Touched): {
    pre: WholeAccount | undefined;
    post: WholeAccount | undefined;
  } {
    const account = this.world.account(key);
    if (account === undefined) return { pre: undefined, post: undefined };
    const code = this.world.code(account)?.bytes ?? NOTHING;
    const now = new Map<Hash, Hash>();
    for (const [name, slot] of slots) now.set(name, hashFromWord(this.world.slot(account, slot)?.value ?? 0));
    return {
      pre:
        before === undefined ? wholeOf(account, code, now) : this.wholeBefore(before, { account, code, now }),
      post: wholeOf(account, code, now),
    };
  }

  private wholeBefore(
    { fields, slots }: NonNullable<Touched['before']>,
    { account, code, now }: { account: Account; code: Uint8Array; now: ReadonlyMap<Hash, Hash> },
  ): WholeAccount | undefined {
    const isSameCode = fields.codeHash === account.codeHash;
    const storage = new Map([...now].map(([name, value]) => [name, value] as const));
    for (const [name, value] of slots) storage.set(name, hashFromWord(value));
    return wholeOf(fields, fields.code?.bytes ?? (isSameCode ? code : NOTHING), storage);
  }
}

const NOTHING = new Uint8Array(0);

function wholeOf(
  { exists, nonce, balance, codeHash }: Readonly<AccountFields>,
  code: Uint8Array,
  storage: ReadonlyMap<Hash, Hash>,
): WholeAccount | undefined {
  return exists ? { balance: BigInt(balance), nonce, codeHash, code, storage } : undefined;
}
