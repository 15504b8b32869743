import type { Address } from '@tetrad/types';
import { VirtualClock } from '@tetrad/testkit';
import { faultTolerance } from '@tetrad/node-consensus-bft';
import { AdversaryMessages } from '../../../consensus-bft/test/simulator/adversary-messages.js';
import { Invariants } from '../../../consensus-bft/test/simulator/invariants.js';
import { Random } from '../../../consensus-bft/test/simulator/random.js';
import { SharedDecoding } from '../../../consensus-bft/test/simulator/shared-decoding.js';
import { SimulatedChain } from '../../../consensus-bft/test/simulator/simulated-chain.js';
import { SimulatedNetwork, type Parcel } from '../../../consensus-bft/test/simulator/simulated-network.js';
import { SimulatedNode } from '../../../consensus-bft/test/simulator/simulated-node.js';
import { validatorKey, type ValidatorKey } from '../../../consensus-bft/test/simulator/validator-keys.js';
import type { Neighbour } from '../../src/silence.js';
import { RecordlessEngine } from './recordless-engine.js';

/** How the faulty validators behave from when the database is lost: not at all, like others, or heard without votes. */
export type Fault = 'absent' | 'votes' | 'pretends';

export interface LostDatabaseScenario {
  readonly seed: number;
  readonly validators: 4 | 7;
  readonly format: 'qbft' | 'ibft';
  /** Undefined where none is faulty. */
  readonly fault: Fault | undefined;
  /** Peers that are not validators and lie, all of them others each second. */
  readonly strangers: number;
  /** The head that liars claim, at a second and the height of the chain. */
  readonly claim: (second: number, height: number) => number;
}

export interface LostDatabaseResult {
  readonly violations: readonly string[];
  /** Whether the validator signed again within the time of the run. */
  readonly signs: boolean;
}

/** Until the database is lost, at least and at most. */
const LOST_MS = [12_000, 18_000] as const;
const DOWN_MS = 1_500;
/** Half a minute of belief, ten rounds of eight seconds, and blocks that take some rounds. */
const LIMIT_MS = 240_000;
/** What it signs then is watched. */
const AFTER_MS = 8_000;
const SELF = 0;

/** Validators in a calm network, the first of which loses its database while liars claim heads to it. */
export class LostDatabase {
  private readonly clock = new VirtualClock();
  private readonly random: Random;
  private readonly keys: readonly ValidatorKey[];
  private readonly nodes: readonly SimulatedNode[];
  private readonly faulty: ReadonlySet<number>;
  private readonly network: SimulatedNetwork;
  private readonly invariants: Invariants;
  /** Heads that the validator was told, by number of the peer. */
  private readonly heads = new Map<number, number>();
  private engine: RecordlessEngine | undefined;
  private isLost = false;

  constructor(private readonly scenario: LostDatabaseScenario) {
    const { seed, validators, format, fault } = scenario;
    this.random = new Random(seed);
    this.keys = Array.from({ length: validators }, (_, index) => validatorKey(index + 1));
    const count = fault === undefined ? 0 : faultTolerance(validators);
    this.faulty = new Set(Array.from({ length: count }, (_, index) => validators - 1 - index));
    const [bad, good] = [true, false].map(
      (isFaulty) => new Set(this.addresses.filter((_, number) => this.faulty.has(number) === isFaulty)),
    ) as [Set<Address>, Set<Address>];
    this.invariants = new Invariants(new SharedDecoding(format), format, good, bad);
    this.network = new SimulatedNetwork(this.clock, this.random.fork(), (to, parcel, from) =>
      this.deliver(to, parcel, from),
    );
    this.nodes = this.keys.map((key, number) => this.createNode(key, number));
  }

  async run(): Promise<LostDatabaseResult> {
    const { nodes, invariants } = this;
    const isBroken = () => invariants.violations.length > 0;
    for (const node of nodes) node.start();
    await this.pass(this.random.integer(...LOST_MS), isBroken);
    this.lose();
    await this.pass(DOWN_MS, isBroken);
    nodes[SELF]?.start();
    await this.pass(LIMIT_MS, () => this.signs || isBroken());
    const { signs } = this;
    await this.pass(AFTER_MS, isBroken);
    invariants.checkAgreement(nodes.map(({ chain }) => chain));
    return { violations: invariants.violations, signs };
  }

  private get addresses(): readonly Address[] {
    return this.keys.map(({ address }) => address);
  }

  private get signs(): boolean {
    return this.engine?.isActive === true;
  }

  private get height(): number {
    return Math.max(...this.nodes.map(({ chain }) => chain.height));
  }

  private pass(ms: number, isDone: () => boolean): Promise<void> {
    return this.clock.runUntil(this.clock.now() + ms, isDone);
  }

  private createNode(key: ValidatorKey, number: number): SimulatedNode {
    const { clock, random, scenario } = this;
    const { format } = scenario;
    const chain = new SimulatedChain({
      format,
      policy: 'roundRobin',
      validators: this.addresses,
      genesisTimestamp: clock.now() / 1000,
      verified: new WeakSet(),
    });
    const others = [...this.keys.keys()].filter((other) => other !== number);
    const fault = (text: string) => this.invariants.fail(`node ${number}: ${text}`);
    return new SimulatedNode(key, chain, {
      clock,
      format,
      others,
      fault,
      random: random.fork(),
      relays: false,
      isKeyStolen: false,
      send: (to, parcel) => this.send(number, to, parcel),
      numberOf: (address) => this.addresses.findIndex((one) => one === address),
      crashOnPersist: () => 0,
      ...(number === SELF ? { createEngine: (options) => this.createEngine(options, chain) } : {}),
    });
  }

  private createEngine(
    options: ConstructorParameters<typeof RecordlessEngine>[0],
    chain: SimulatedChain,
  ): RecordlessEngine {
    this.engine = new RecordlessEngine(options, {
      neighbours: {
        list: () => this.neighbours(),
        areExpected: true,
        announceUnrecorded: () => undefined,
      },
      context: () => chain.context(),
      headTimeMs: () => Number(chain.head.header.timestamp) * 1_000,
      fault: (error) => this.invariants.fail(String(error)),
    });
    return this.engine;
  }

  private neighbours(): readonly Neighbour[] {
    return [...this.heads].map(([number, head]) => ({
      address: validatorKey(number + 1).address,
      head,
      isUnrecorded: false,
    }));
  }

  private send(from: number, to: number, parcel: Parcel): void {
    if (parcel.kind === 'consensus') this.invariants.sent(parcel.bytes);
    this.network.send(from, to, parcel);
  }

  private deliver(to: number, parcel: Parcel, from: number): void {
    if (to === SELF && this.isLost && parcel.kind !== 'consensus') {
      const head = parcel.kind === 'head' ? parcel.height : parcel.header.number;
      this.heads.set(from, Math.max(head, this.heads.get(from) ?? 0));
    }
    this.nodes[to]?.receive(parcel, from);
  }

  private lose(): void {
    const { nodes, faulty, scenario, random } = this;
    const self = nodes[SELF];
    self?.crash();
    self?.loseDatabase(random.pick([0, random.integer(0, this.height)]));
    this.isLost = true;
    if (scenario.fault !== 'votes') for (const number of faulty) nodes[number]?.crash();
    this.lie(1);
  }

  private lie(second: number): void {
    const { scenario, heads, height, keys } = this;
    for (const number of heads.keys()) if (number >= keys.length) heads.delete(number);
    const strangers = Array.from(
      { length: scenario.strangers },
      (_, index) => keys.length + second * scenario.strangers + index,
    );
    for (const number of [...this.faulty, ...strangers]) heads.set(number, scenario.claim(second, height));
    if (scenario.fault === 'pretends') for (const number of this.faulty) this.pretend(number, second);
    this.clock.schedule(1_000, () => this.lie(second + 1));
  }

  /** Is heard, and moves no round. */
  private pretend(number: number, second: number): void {
    const key = this.keys[number] as ValidatorKey;
    const message = new AdversaryMessages(key, this.scenario.format);
    const bytes = message.roundChange({ height: this.height + 1, round: 1_000 + second });
    for (const to of this.nodes.keys())
      if (to !== number) this.send(number, to, { kind: 'consensus', bytes });
  }
}
