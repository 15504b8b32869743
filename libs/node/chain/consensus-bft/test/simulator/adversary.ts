import type { BlockHeader } from '@tetrad/types';
import type { View } from '../../src/messages/consensus-message.js';
import { decodeProposedBlock, type HeaderFormat } from '../../src/messages/proposed-block.js';
import { orderProposers, proposerOf } from '../../src/proposer-selection.js';
import { quorumOf } from '../../src/quorum.js';
import { AdversaryKnowledge } from './adversary-knowledge.js';
import { AdversaryMessages } from './adversary-messages.js';
import type { Random } from './random.js';
import type { SharedDecoding } from './shared-decoding.js';
import { INVALID_STATE, VALID_STATE, type SimulatedChain } from './simulated-chain.js';
import type { Parcel } from './simulated-network.js';
import type { ValidatorKey } from './validator-keys.js';
import type { VirtualClock } from '@tetrad/testkit';

/** What an adversary does; a silent one does nothing at all. */
export interface Malice {
  readonly votesForEverything: boolean;
  readonly liesAboutRounds: boolean;
  readonly proposesTwice: boolean;
  readonly proposesInvalid: boolean;
  /** Proposes blocks in later rounds regardless of what was prepared, and with forged certificates. */
  readonly forgesReasons: boolean;
  readonly sendsGarbage: boolean;
}

export interface AdversarySurroundings {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly format: HeaderFormat;
  readonly decoding: SharedDecoding;
  readonly others: readonly number[];
  readonly send: (to: number, parcel: Parcel) => void;
  /** A key that belongs to no validator. */
  readonly stranger: ValidatorKey;
}

/** A validator that breaks every rule it can while it keeps up with the chain. */
export class Adversary {
  private knowledge = new AdversaryKnowledge(0);
  private readonly messages: AdversaryMessages;
  private readonly strangers: AdversaryMessages;
  private readonly proposed = new Set<string>();
  private readonly heard = new WeakSet<Uint8Array>();
  /** How often it did something in a view, by what and where. */
  private readonly done = new Map<string, number>();

  constructor(
    private readonly key: ValidatorKey,
    private readonly chain: SimulatedChain,
    private readonly malice: Malice,
    private readonly surroundings: AdversarySurroundings,
  ) {
    this.messages = new AdversaryMessages(key, surroundings.format);
    this.strangers = new AdversaryMessages(surroundings.stranger, surroundings.format);
  }

  start(): void {
    this.beginHeight();
  }

  receive(parcel: Parcel): void {
    if (parcel.kind === 'block') this.follow(parcel.header);
    if (parcel.kind === 'consensus') this.hear(parcel.bytes);
  }

  private follow(header: BlockHeader): void {
    if (header.number !== this.chain.height + 1) return;
    this.chain.append(header);
    this.beginHeight();
  }

  private beginHeight(): void {
    const { periodEndsMs, height } = this.chain.context();
    this.knowledge = new AdversaryKnowledge(height);
    this.surroundings.clock.schedule(periodEndsMs - this.surroundings.clock.now(), () =>
      this.propose({ height, round: 0 }),
    );
  }

  private hear(bytes: Uint8Array): void {
    const message = this.surroundings.decoding.decode(bytes);
    if (message === undefined || message.height !== this.knowledge.height || this.heard.has(bytes)) return;
    this.heard.add(bytes);
    this.knowledge.learn(message);
    if (this.malice.sendsGarbage && this.surroundings.random.chance(0.3) && this.mayStill('garbage', message))
      this.sendGarbage(bytes, message);
    if (this.malice.votesForEverything && message.kind === 'proposal' && this.mayStill('vote', message))
      this.voteForEverything(message);
    if (
      this.malice.forgesReasons &&
      message.kind === 'commit' &&
      this.mayStill('jump', { ...message, round: 0 })
    )
      this.jumpAhead(message);
    if (message.kind === 'roundChange') this.hearRoundChange(message);
  }

  /** Two adversaries must not answer each other for ever. */
  private mayStill(what: keyof typeof MOST, { height, round }: View): boolean {
    const key = `${what}:${height}:${round}`;
    const times = (this.done.get(key) ?? 0) + 1;
    this.done.set(key, times);
    return times <= MOST[what];
  }

  /** Votes for all blocks of the height that it knows, in the view of the message, towards some. */
  private voteForEverything({ height, round }: View): void {
    const { random, format } = this.surroundings;
    for (const block of this.knowledge.blocks.values()) {
      this.sendToSome(this.messages.prepare({ height, round }, block.hash));
      this.sendToSome(this.messages.commit({ height, round }, block, random.chance(0.8)));
      if (format === 'ibft') this.sendToSome(this.messages.seal({ height, round }, block));
    }
  }

  private hearRoundChange({ height, round }: View): void {
    const { random } = this.surroundings;
    if (this.malice.liesAboutRounds && this.mayStill('lie', { height, round })) {
      const certificates = this.certificates(round);
      // To some nothing was ever prepared, to others the oldest certificate is the newest.
      this.sendToSome(this.messages.roundChange({ height, round }));
      if (certificates.length > 0)
        this.sendToSome(this.messages.roundChange({ height, round }, random.pick(certificates)));
      if (this.malice.forgesReasons)
        this.sendToSome(this.messages.roundChange({ height, round }, this.forgedCertificate(round)));
      if (random.chance(0.05)) this.sendToSome(this.messages.roundChange({ height, round: round + 40 }));
    }
    this.propose({ height, round });
  }

  private certificates(round: number) {
    const { height } = this.knowledge;
    const quorum = quorumOf(this.surroundings.others.length + 1);
    return this.knowledge.certificates(round, quorum, (of, digest) =>
      this.messages.signedPrepare({ height, round: of }, digest),
    );
  }

  /** When it is its turn, and the round changes it has heard, with a lie of its own, make a quorum. */
  private propose({ height, round }: View): void {
    const key = `${height}:${round}`;
    if (height !== this.knowledge.height || this.proposed.has(key) || !this.isOurTurn(round)) return;
    const roundChanges = this.knowledge.roundChangesTo(round);
    const quorum = quorumOf(this.surroundings.others.length + 1);
    if (round > 0 && roundChanges.length + 1 < quorum) return;
    this.proposed.add(key);
    if (round > 0 && this.malice.forgesReasons) this.proposeUnjustified({ height, round });
    const unprepared = roundChanges.filter(({ prepared }) => prepared === undefined);
    const own = this.messages.signedRoundChange({ height, round });
    const fresh = round === 0 ? [] : [...unprepared, own];
    if (round === 0 || fresh.length >= quorum) this.proposeFresh({ height, round }, fresh);
    else this.proposePrepared({ height, round });
  }

  private proposeFresh(view: View, roundChanges: ReturnType<AdversaryMessages['signedRoundChange']>[]): void {
    const { random, others } = this.surroundings;
    const sides = this.malice.proposesTwice ? [random.some(others, 0.5)] : [others];
    sides.push(others.filter((one) => !sides[0]?.includes(one)));
    for (const side of sides) {
      const bytes = this.messages.proposal(view, this.build(), { roundChanges, prepares: [] });
      for (const to of side) this.surroundings.send(to, { kind: 'consensus', bytes });
      this.hear(bytes);
    }
  }

  /** Proposes each block that has a certificate to a validator, with round changes selected to fit it. */
  private proposePrepared(view: View): void {
    for (const { round, block, prepares } of this.certificates(view.round)) {
      const own = this.messages.signedRoundChange(view, { round, block });
      const fitting = this.knowledge
        .roundChangesTo(view.round)
        .filter(({ prepared }) => prepared === undefined || prepared.round <= round);
      this.sendToSome(this.messages.proposal(view, block, { roundChanges: [...fitting, own], prepares }));
    }
  }

  /** While a block is being committed: proposes another one in its next own round, which it alone has entered. */
  private jumpAhead({ height, round }: View): void {
    const rounds = [...this.surroundings.others, 0].map((_, index) => round + 1 + index);
    const next = rounds.find((one) => this.isOurTurn(one));
    if (next !== undefined) this.proposeUnjustified({ height, round: next });
  }

  /** A new block, as if nothing had been prepared, or with an invalid justification. */
  private proposeUnjustified(view: View): void {
    const own = this.messages.signedRoundChange(view);
    const heard = this.knowledge.roundChangesTo(view.round);
    const forged = this.forgedCertificate(view.round);
    const claim = this.messages.signedRoundChange(view, forged);
    const quorum = quorumOf(this.surroundings.others.length + 1);
    const attempts = [
      { block: this.build(), roundChanges: [...heard, own], prepares: [] },
      { block: this.build(), roundChanges: Array.from({ length: quorum }, () => own), prepares: [] },
      { block: forged.block, roundChanges: [...heard, claim], prepares: forged.prepares },
      { block: this.build(), ...NO_REASON },
    ];
    const { block, ...reasons } = this.surroundings.random.pick(attempts);
    const bytes = this.messages.proposal(view, block, reasons);
    this.sendToSome(bytes);
    this.hear(bytes);
  }

  /** Of a block of its own, in the round before, with the one PREPARE that it can make. */
  private forgedCertificate(round: number) {
    const block = this.build();
    const view = { height: this.knowledge.height, round: Math.max(round - 1, 0) };
    const vote = this.messages.signedPrepare(view, block.hash);
    const quorum = quorumOf(this.surroundings.others.length + 1);
    return { round: view.round, block, prepares: Array.from({ length: quorum }, () => vote) };
  }

  private build() {
    const { clock, random, format } = this.surroundings;
    const stateRoot = this.malice.proposesInvalid && random.chance(0.5) ? INVALID_STATE : VALID_STATE;
    const encoded = this.chain.build({
      ...this.key,
      nowMs: clock.now() + random.integer(0, 1_500),
      vanity: random.bytes(8),
      stateRoot,
    });
    return decodeProposedBlock(encoded, format);
  }

  private isOurTurn(round: number): boolean {
    const { validators, lastAuthor, policy, format } = this.chain.context();
    const ordered = orderProposers(validators, format);
    return proposerOf(ordered, { lastAuthor, round, policy }) === this.key.address;
  }

  /** Cut, changed and foreign messages, and ones that were sent before. */
  private sendGarbage(bytes: Uint8Array, { height, round }: View): void {
    const { random } = this.surroundings;
    const changed = new Uint8Array(bytes);
    changed[random.integer(0, changed.length - 1)] = random.integer(0, 255);
    const [block] = this.knowledge.blocks.values();
    const garbage = [
      () => bytes,
      () => bytes.subarray(0, random.integer(0, bytes.length)),
      () => changed,
      () => random.bytes(random.integer(0, 200)),
      () => this.strangers.roundChange({ height, round: round + 1 }),
      () => (block === undefined ? bytes : this.strangers.proposal({ height, round }, block, NO_REASON)),
    ];
    this.sendToSome(random.pick(garbage)());
  }

  private sendToSome(bytes: Uint8Array): void {
    const { random, others } = this.surroundings;
    for (const to of random.some(others, 0.6)) this.surroundings.send(to, { kind: 'consensus', bytes });
  }
}

/** How often an adversary does what others answer, in a view; jumps at a height. */
const MOST = { lie: 4, vote: 8, garbage: 60, jump: 6 } as const;

const NO_REASON = { roundChanges: [], prepares: [] };
