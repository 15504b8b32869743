import {
  addressFromWord,
  hashFromWord,
  wordFromAddress,
  wordFromHash,
  type Frame,
  type Evm,
  type StepListener,
  type Word,
} from '@tetrad/node-evm';
import type { AccessListEntry, Address, Hash } from '@tetrad/types';
import { noteTouches, type TouchSink } from './touches.js';

/** Collects the accounts and slots that opcodes name, on top of those of a list. */
export class AccessRecorder implements StepListener, TouchSink {
  private readonly touched = new Map<Address, Set<Hash>>();

  /** @param isFree - which accounts need no entry for their own sake, because they are warm from the start */
  constructor(
    list: readonly AccessListEntry[],
    private readonly isFree: (address: Word) => boolean,
  ) {
    for (const { address, storageKeys } of list) {
      this.account(wordFromAddress(address));
      for (const key of storageKeys) this.slot(wordFromAddress(address), wordFromHash(key));
    }
  }

  account(address: Word): void {
    if (!this.isFree(address)) this.slotsOf(address);
  }

  slot(address: Word, slot: Word): void {
    this.slotsOf(address).add(hashFromWord(slot));
  }

  step(evm: Evm, frame: Frame, op: number): void {
    noteTouches(evm, frame, op, this);
  }

  get list(): AccessListEntry[] {
    return [...this.touched].map(([address, slots]) => ({ address, storageKeys: [...slots] }));
  }

  /** Accounts and slots, so that two lists of which one holds the other are equal when their sizes are. */
  get size(): number {
    let size = this.touched.size;
    for (const slots of this.touched.values()) size += slots.size;
    return size;
  }

  private slotsOf(key: Word): Set<Hash> {
    const address = addressFromWord(key);
    let slots = this.touched.get(address);
    if (slots === undefined) this.touched.set(address, (slots = new Set()));
    return slots;
  }
}
