import type { Address, BlockHeader } from '@tetrad/types';
import { Adversary } from './adversary.js';
import { Invariants } from './invariants.js';
import { Random } from './random.js';
import { KeyThief } from './key-thief.js';
import { SharedDecoding } from './shared-decoding.js';
import { SimulatedChain } from './simulated-chain.js';
import { SimulatedNetwork, type Parcel } from './simulated-network.js';
import { SimulatedNode } from './simulated-node.js';
import { planScenario, type Scenario } from './scenario.js';
import { validatorKey, type ValidatorKey } from './validator-keys.js';
import { VirtualClock } from '@tetrad/testkit';

/** Blocks that must come after everything was repaired, and the time they may take. */
const BLOCKS_AFTER_HEALING = 3;
const PATIENCE_MS = 240_000;

/** Between two floods of messages under a stolen key. */
const STEAL_EVERY_MS = 400;

const STRANGER = validatorKey(1_000);

export interface SimulationResult {
  readonly scenario: Scenario;
  readonly violations: readonly string[];
  /** Blocks of the longest chain. */
  readonly height: number;
  readonly crashes: number;
  readonly parcels: number;
}

/** One run: builds the network of the scenario, lets it suffer, repairs it, and looks at what came of it. */
export class Simulation {
  private readonly clock = new VirtualClock();
  private readonly random: Random;
  private readonly keys: readonly ValidatorKey[];
  private readonly nodes = new Map<number, SimulatedNode>();
  private readonly adversaries = new Map<number, Adversary>();
  private readonly network: SimulatedNetwork;
  private readonly invariants: Invariants;
  private readonly decoding: SharedDecoding;
  private readonly verified = new WeakSet<BlockHeader>();
  private isHealed = false;
  private crashes = 0;
  private parcels = 0;

  constructor(private readonly scenario: Scenario) {
    const { seed, validators, format, adversaries } = scenario;
    this.random = new Random(seed ^ 0x5eed);
    this.keys = Array.from({ length: validators }, (_, index) => validatorKey(index + 1));
    this.decoding = new SharedDecoding(format);
    const faulty = new Set([...adversaries.keys()].map((number) => this.keyOf(number).address));
    const all = this.keys.map(({ address }) => address);
    const correct = new Set(all.filter((address) => !faulty.has(address)));
    this.invariants = new Invariants(this.decoding, format, correct, faulty);
    this.network = new SimulatedNetwork(this.clock, this.random.fork(), (to, parcel, from) =>
      this.deliver(to, parcel, from),
    );
    this.keys.forEach((_, number) => this.addNode(number));
  }

  async run(): Promise<SimulationResult> {
    const { scenario, clock } = this;
    this.network.faults = scenario.network;
    for (const node of this.nodes.values()) node.start();
    for (const adversary of this.adversaries.values()) adversary.start();
    this.keepCrashing();
    this.keepPartitioning();
    this.keepStealing();
    const healAtMs = clock.now() + scenario.healsAfterMs;
    await clock.runUntil(healAtMs, () => this.invariants.violations.length > 0);
    this.heal();
    const target = this.height + BLOCKS_AFTER_HEALING;
    const isDone = () => this.chains.every((chain) => chain.height >= target);
    await clock.runUntil(clock.now() + PATIENCE_MS, () => isDone() || this.invariants.violations.length > 0);
    this.invariants.checkAgreement(this.chains);
    if (!isDone())
      this.invariants.fail(`no progress beyond ${this.chains.map(({ height }) => height).join()}`);
    const { violations } = this.invariants;
    return { scenario, violations, height: this.height, crashes: this.crashes, parcels: this.parcels };
  }

  private get chains(): readonly SimulatedChain[] {
    return [...this.nodes.values()].map(({ chain }) => chain);
  }

  private get height(): number {
    return Math.max(...this.chains.map(({ height }) => height));
  }

  private keyOf(number: number): ValidatorKey {
    const key = this.keys[number];
    if (key === undefined) throw new Error(`no node ${number}`);
    return key;
  }

  private addNode(number: number): void {
    const { scenario, clock, random } = this;
    const { format, policy, relays } = scenario;
    const validators = this.keys.map(({ address }) => address);
    const genesisTimestamp = clock.now() / 1000;
    const chain = new SimulatedChain({
      format,
      policy,
      validators,
      genesisTimestamp,
      verified: this.verified,
    });
    const others = this.keys.map((_, other) => other).filter((other) => other !== number);
    const send = (to: number, parcel: Parcel) => this.send(number, to, parcel);
    const isKeyStolen = scenario.stolen?.number === number;
    const surroundings = { clock, random: random.fork(), format, others, send, isKeyStolen };
    const connected = { others: scenario.isRing ? this.neighboursOf(number) : others };
    const key = this.keyOf(number);
    if (scenario.adversaries.has(number)) {
      const malice = scenario.adversaries.get(number);
      if (malice !== undefined)
        this.adversaries.set(
          number,
          new Adversary(key, chain, malice, { ...surroundings, decoding: this.decoding, stranger: STRANGER }),
        );
      return;
    }
    const numberOf = (address: string) => numberOrNone(validators.indexOf(address as Address));
    const crashOnPersist = () => (this.isHealed ? 0 : scenario.crashOnPersist);
    const fault = (text: string) => this.invariants.fail(`node ${number}: ${text}`);
    const elsewhere = scenario.elsewhere && {
      maxDelayMs: scenario.elsewhere.maxDelayMs,
      fails: () => (this.isHealed ? 0 : (scenario.elsewhere?.fails ?? 0)),
    };
    this.nodes.set(
      number,
      new SimulatedNode(key, chain, {
        ...surroundings,
        ...connected,
        relays,
        numberOf,
        crashOnPersist,
        fault,
        ...(elsewhere === undefined ? {} : { elsewhere }),
      }),
    );
  }

  private neighboursOf(number: number): number[] {
    const { length } = this.keys;
    return [(number + 1) % length, (number + length - 1) % length];
  }

  private send(from: number, to: number, parcel: Parcel): void {
    this.parcels += 1;
    if (parcel.kind === 'consensus') this.invariants.sent(parcel.bytes);
    this.network.send(from, to, parcel);
  }

  private deliver(to: number, parcel: Parcel, from: number): void {
    this.nodes.get(to)?.receive(parcel, from);
    this.adversaries.get(to)?.receive(parcel);
  }

  private keepCrashing(): void {
    const { crashEveryMs } = this.scenario;
    if (crashEveryMs === 0 || this.isHealed) return;
    this.clock.schedule(this.random.integer(1, 2 * crashEveryMs), () => {
      if (!this.isHealed) this.crashOne();
      this.keepCrashing();
    });
  }

  /** Any number of correct nodes may be down at once: safety must not depend on who is up. */
  private crashOne(): void {
    const node = this.random.pick([...this.nodes.values()]);
    if (!node.isUp) return;
    node.crash();
    this.crashes += 1;
    this.clock.schedule(this.random.integer(50, 6_000), () => {
      if (!node.isUp) node.start();
    });
  }

  private keepPartitioning(): void {
    const { partitionEveryMs, validators } = this.scenario;
    if (partitionEveryMs === 0 || this.isHealed) return;
    this.clock.schedule(this.random.integer(1, 2 * partitionEveryMs), () => {
      if (this.isHealed) return;
      const sides = Array.from({ length: validators }, () => this.random.integer(0, 2));
      this.network.partition(this.random.chance(0.3) ? [] : sides);
      this.keepPartitioning();
    });
  }

  /** A flood to a node, not seen by the invariants: it is not what the owner of the key says. */
  private keepStealing(): void {
    const { stolen, format, validators } = this.scenario;
    if (stolen === undefined || this.isHealed) return;
    const thief = new KeyThief(this.keyOf(stolen.number), stolen.kinds, format);
    const to = this.random.integer(0, validators - 1);
    const chain = this.nodes.get(to)?.chain;
    const from = (to + 1) % validators;
    if (chain !== undefined)
      for (const bytes of thief.flood(chain, this.clock.now()))
        this.network.send(from, to, { kind: 'consensus', bytes });
    this.clock.schedule(STEAL_EVERY_MS, () => this.keepStealing());
  }

  private heal(): void {
    this.isHealed = true;
    this.network.heal();
    for (const node of this.nodes.values()) if (!node.isUp) node.start();
  }
}

function numberOrNone(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

export function simulate(seed: number, changes: Partial<Scenario> = {}): Promise<SimulationResult> {
  return new Simulation({ ...planScenario(seed), ...changes }).run();
}
