import { silentLogger, silentMetrics, type BlockHeader, type Clock } from '@tetrad/types';
import secp256k1 from 'secp256k1';
import { BftEngine } from '../../src/engine/bft-engine.js';
import type { BftEngineOptions } from '../../src/engine/engine-ports.js';
import { hashHeader } from '../../src/block-hash.js';
import type { Verdict } from '../../src/machine/events.js';
import type { CommittedBlock } from '../../src/machine/effects.js';
import type { ProposedBlock } from '../../src/messages/consensus-message.js';
import type { HeaderFormat } from '../../src/messages/proposed-block.js';
import type { Random } from './random.js';
import { VALID_STATE, type SimulatedChain } from './simulated-chain.js';
import { SimulatedGossip } from './simulated-gossip.js';
import type { Parcel } from './simulated-network.js';
import type { ValidatorKey } from './validator-keys.js';
import type { VirtualClock } from '@tetrad/testkit';

/** The part of an engine that a simulated process calls. */
export type SimulatedEngine = Pick<BftEngine, 'start' | 'onHead' | 'onMessage'>;

export interface NodeSurroundings {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly format: HeaderFormat;
  /** Numbers of the nodes it has a connection to. */
  readonly others: readonly number[];
  readonly relays: boolean;
  readonly send: (to: number, parcel: Parcel) => void;
  readonly numberOf: (address: string) => number | undefined;
  /** Probability that storing a record is the last thing the process does. */
  readonly crashOnPersist: () => number;
  readonly fault: (text: string) => void;
  /** Whether another process has its key, which it reports. */
  readonly isKeyStolen: boolean;
  /** Its key signs elsewhere. */
  readonly elsewhere?: { readonly maxDelayMs: number; readonly fails: () => number };
  /** The engine of a new process; that of a validator which signs at once by default. */
  readonly createEngine?: (options: BftEngineOptions) => SimulatedEngine;
}

interface SimulatedProcess {
  readonly engine: SimulatedEngine;
  readonly gossip: SimulatedGossip;
}

const SYNC_BATCH = 16;
const HEAD_EVERY_MS = 700;

/**
 * A correct validator: the real engine over a simulated ledger and disk.
 *
 * A crash loses everything but the chain and the record. What an old process still has under way has no effect.
 */
export class SimulatedNode {
  private record: Uint8Array | undefined;
  private process: SimulatedProcess | undefined;
  /** Counts processes; ports of an earlier one do nothing. */
  private life = 0;

  constructor(
    private readonly key: ValidatorKey,
    readonly chain: SimulatedChain,
    private readonly surroundings: NodeSurroundings,
  ) {}

  get isUp(): boolean {
    return this.process !== undefined;
  }

  start(): void {
    const life = ++this.life;
    this.process = this.createProcess(life);
    this.process.engine.start(this.record, this.chain.context());
    this.announceHead(life);
  }

  crash(): void {
    this.life += 1;
    this.process = undefined;
  }

  /** Its database is lost, or restored with so many blocks, while it is down. */
  loseDatabase(blocks: number): void {
    this.record = undefined;
    this.chain.keep(blocks);
  }

  receive(parcel: Parcel, from: number): void {
    if (this.process === undefined) return;
    if (parcel.kind === 'consensus') this.process.gossip.receive(parcel.bytes, from);
    if (parcel.kind === 'head') this.serveBlocks(parcel.height, from);
    if (parcel.kind === 'block') this.importBlock(parcel.header);
  }

  private createProcess(life: number): SimulatedProcess {
    const { surroundings, key } = this;
    const alive = () => this.life === life;
    const { others, relays } = surroundings;
    const send = (to: number, bytes: Uint8Array) => {
      if (alive()) surroundings.send(to, { kind: 'consensus', bytes });
    };
    const accept = (bytes: Uint8Array) => engine.onMessage(bytes).outcome === 'accepted';
    const gossip = new SimulatedGossip({ others, relays, send, accept });
    const create = surroundings.createEngine ?? ((options: BftEngineOptions) => new BftEngine(options));
    const engine = create({
      address: key.address,
      sign: surroundings.elsewhere === undefined ? key.sign : (digest) => this.signElsewhere(digest),
      formatAt: () => surroundings.format,
      logger: { ...silentLogger, error: (text, values) => this.complain(text, values) },
      metrics: silentMetrics,
      clock: this.livingClock(alive),
      network: {
        broadcast: (bytes) => gossip.broadcast(bytes),
        send: (to, bytes) => {
          const number = surroundings.numberOf(to);
          if (number !== undefined && others.includes(number)) send(number, bytes);
        },
      },
      ledger: {
        buildCandidate: () => this.build(),
        validateProposal: (block) => this.validate(block),
        commitBlock: (committed) => this.commit(committed, alive),
      },
      persist: (record) => this.persist(record, alive),
    });
    return { engine, gossip };
  }

  /** Faults of the engine that it must not have, whatever comes from outside. */
  private complain(text: string, values: unknown): void {
    if (this.surroundings.isKeyStolen && text.includes('that this node did not send')) return;
    if (text.startsWith('consensus:')) this.surroundings.fault(`${text} ${JSON.stringify(values)}`);
    else this.surroundings.fault(`${text}: ${String((values as { error?: unknown } | undefined)?.error)}`);
  }

  private livingClock(alive: () => boolean): Clock {
    const { clock } = this.surroundings;
    return {
      now: () => clock.now(),
      schedule: (delayMs, task) => clock.schedule(delayMs, () => (alive() ? task() : undefined)),
    };
  }

  private wait(ms: number): Promise<void> {
    return new Promise((done) => this.surroundings.clock.schedule(ms, done));
  }

  /** As HSMs do: with a nonce that is random, so that no signature comes twice. */
  private async signElsewhere(digest: Uint8Array): Promise<Uint8Array | undefined> {
    const { random, elsewhere } = this.surroundings;
    await this.wait(random.integer(0, elsewhere?.maxDelayMs ?? 0));
    if (random.chance(elsewhere?.fails() ?? 0)) return undefined;
    const { signature, recid } = secp256k1.ecdsaSign(digest, this.key.privateKey, { data: random.bytes(32) });
    return Uint8Array.of(...signature, recid);
  }

  private async build(): Promise<Uint8Array> {
    const { clock, random } = this.surroundings;
    await this.wait(this.chain.context().periodEndsMs - clock.now());
    const vanity = random.bytes(8);
    return this.chain.build({ ...this.key, nowMs: clock.now(), vanity });
  }

  private async validate({ header }: ProposedBlock): Promise<Verdict> {
    await this.wait(this.surroundings.random.integer(0, 30));
    const aheadMs = Number(header.timestamp) * 1000 - this.surroundings.clock.now();
    if (aheadMs > 0) return { retryAfterMs: aheadMs };
    const { head } = this.chain;
    const follows = header.parentHash === head.hash && header.timestamp > head.header.timestamp;
    return follows && header.stateRoot === VALID_STATE ? 'valid' : 'invalid';
  }

  /** The record may reach the disk and the process still die before it can send anything; or not even that. */
  private async persist(record: Uint8Array, alive: () => boolean): Promise<void> {
    const { random, crashOnPersist } = this.surroundings;
    await this.wait(random.integer(0, 4));
    if (!alive()) return;
    const crashes = random.chance(crashOnPersist());
    if (!crashes || random.chance(0.5)) this.record = record;
    if (!crashes) return;
    this.crash();
    this.surroundings.clock.schedule(random.integer(50, 5_000), () => {
      if (!this.isUp) this.start();
    });
  }

  private async commit({ header }: CommittedBlock, alive: () => boolean): Promise<void> {
    await this.wait(this.surroundings.random.integer(0, 20));
    if (alive()) this.add(header);
  }

  private importBlock(header: BlockHeader): void {
    if (header.number !== this.chain.height + 1) return;
    try {
      this.add(header);
    } catch (error) {
      // Simulated nodes only send blocks of their chains.
      this.surroundings.fault(`a block from another chain does not fit: ${String(error)}`);
    }
  }

  private add(header: BlockHeader): void {
    if (header.number <= this.chain.height) {
      // Another path was faster; that it was with the same block is for the invariants to say.
      if (this.chain.blocks[header.number]?.hash !== hashHeader(header))
        this.surroundings.fault('fork at one node');
      return;
    }
    this.chain.append(header);
    this.process?.engine.onHead(this.chain.context());
    for (const other of this.surroundings.others) this.surroundings.send(other, { kind: 'block', header });
  }

  /** Sends this node's height to a random peer now and then, which answers with later blocks. */
  private announceHead(life: number): void {
    if (this.life !== life) return;
    const { clock, random, others, send } = this.surroundings;
    send(random.pick(others), { kind: 'head', height: this.chain.height });
    clock.schedule(HEAD_EVERY_MS, () => this.announceHead(life));
  }

  private serveBlocks(height: number, to: number): void {
    for (const { header } of this.chain.blocks.slice(height + 1, height + 1 + SYNC_BATCH)) {
      this.surroundings.send(to, { kind: 'block', header });
    }
  }
}
