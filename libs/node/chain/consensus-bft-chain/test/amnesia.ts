import { parseAddress, type Address } from '@tetrad/types';
import { Silence, type Neighbour, type SilenceVerdict, type Surroundings } from '../src/silence.js';

export const LONGEST_ROUND_MS = 60_000;
/** Of so many validators. */
export const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => parseAddress(`0x${String(index + 1).padStart(40, '0')}`));
export const STRANGER = parseAddress(`0x${'ff'.repeat(20)}`);

/** The first of so many validators, whose database has no record, and what it sees. */
export class Amnesia {
  nowMs = 1_000_000;
  peers: Neighbour[] = [];
  heard: Address[] = [];
  readonly validators: readonly Address[];
  private readonly silence: Silence;

  constructor(
    size: number,
    public head = 0,
    expectsPeers = size > 1,
  ) {
    this.validators = addresses(size);
    const { nowMs, headTimeMs, self: address } = this;
    this.silence = new Silence({ address, nowMs, head, headTimeMs, expectsPeers });
  }

  /** The network made a block each second. */
  get headTimeMs(): number {
    return 10_000 + this.head * 1_000;
  }

  get self(): Address {
    return this.validators[0] as Address;
  }

  get others(): readonly Address[] {
    return this.validators.slice(1);
  }

  /** All other validators, or the first so many, connected with this head. */
  sees(head: number, { count = this.others.length, isUnrecorded = false } = {}): this {
    this.peers = this.others.slice(0, count).map((address) => ({ address, head, isUnrecorded }));
    return this;
  }

  after(ms: number): SilenceVerdict {
    this.nowMs += ms;
    const { nowMs, head, headTimeMs, validators, peers } = this;
    const surroundings: Surroundings = {
      nowMs,
      head,
      headTimeMs,
      validators,
      peers,
      heard: new Set(this.heard),
      dueMs: 0,
      longestRoundMs: LONGEST_ROUND_MS,
    };
    return this.silence.consider(surroundings);
  }
}

/** Verdicts. */
export const OVER = (why: string) => ({ isOver: true, why });
export const SILENT = (stage: string) => ({ isOver: false, stage });
