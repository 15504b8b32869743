import type { KeyPair } from '@tetrad/node-store';
import type { PartyMessage, ReceivedMessage } from '@tetrad/transaction-manager-client';
import type { VirtualClock } from '@tetrad/testkit';
import type { PtmKey } from '@tetrad/types';

/** What the network sees of a party. */
export interface NetworkParty {
  readonly key: PtmKey;
  /** Messages that its manager holds for it. */
  readonly inbox: ReceivedMessage[];
  onBlock(): void;
}

/** A transaction of one party to some others, as nodes execute it. */
export interface VirtualTransaction {
  readonly name: string;
  readonly sender: number;
  readonly recipients: readonly number[];
  readonly contract: number;
  /** Whether all parties know each other, as with flag 3. */
  readonly areKnownToAll: boolean;
}

/** Shares of the messages, from 0 to 1, and the longest time that one is under way. */
export interface LinkFaults {
  readonly lost: number;
  readonly twice: number;
  readonly maxDelayMs: number;
}

const GOOD: LinkFaults = { lost: 0, twice: 0, maxDelayMs: 20 };
/** As a manager holds of two keys. */
const MAX_WAITING = 256;

/**
 * A chain and the messages between its parties, over a virtual clock. Messages overtake each other, which managers prevent: the
 * parties do not rely on it.
 */
export class VirtualNetwork<Party extends NetworkParty = NetworkParty> {
  readonly blocks: VirtualTransaction[][] = [[]];
  parties: readonly Party[] = [];
  faults: LinkFaults = GOOD;
  private readonly waiting = new Map<string, number>();
  private messages = 0;

  constructor(
    readonly clock: VirtualClock,
    readonly random: () => number,
  ) {}

  get head(): number {
    return this.blocks.length - 1;
  }

  heal(): void {
    this.faults = GOOD;
  }

  mine(transactions: VirtualTransaction[]): void {
    this.blocks.push(transactions);
    for (const party of this.parties) party.onBlock();
  }

  /** @returns whether the manager of the sender takes it */
  send(message: PartyMessage): boolean {
    const { lost, twice } = this.faults;
    const name = `${message.from} ${message.to}`;
    if ((this.waiting.get(name) ?? 0) >= MAX_WAITING) return false;
    const copies = Number(this.random() >= lost) + Number(this.random() < twice);
    for (let copy = 0; copy < copies; copy++)
      this.deliverLater(name, { ...message, id: `${++this.messages}` });
    return true;
  }

  /** Of the party and of one other, or of all others. */
  transactionsOf(
    block: number,
    own: number,
    other?: number,
  ): { place: VirtualTransaction; others: number[] }[] {
    return (this.blocks[block] ?? []).flatMap((place) => {
      const { sender, recipients, areKnownToAll } = place;
      const all = [sender, ...recipients];
      if (!all.includes(own)) return [];
      const known = areKnownToAll || own === sender ? all : [sender];
      const others = known.filter((one) => one !== own && (other === undefined || one === other));
      return others.length === 0 ? [] : [{ place, others }];
    });
  }

  pairOf(own: number, other: number): KeyPair {
    return { own: this.keyOf(own), other: this.keyOf(other) };
  }

  numberOf(key: PtmKey): number {
    return this.parties.findIndex((party) => party.key === key);
  }

  private keyOf(number: number): PtmKey {
    return (this.parties[number] as Party).key;
  }

  private deliverLater(name: string, message: ReceivedMessage): void {
    this.waiting.set(name, (this.waiting.get(name) ?? 0) + 1);
    this.clock.schedule(Math.floor(this.random() * this.faults.maxDelayMs), () => {
      this.waiting.set(name, (this.waiting.get(name) ?? 0) - 1);
      this.parties.find(({ key }) => key === message.to)?.inbox.push(message);
    });
  }
}
