import { hashFromBytes, silentLogger, type Hash, type Logger } from '@tetrad/types';
import { keccak256 } from '@tetrad/crypto';
import type { VirtualClock } from '@tetrad/testkit';
import type { LogLimits } from '../../src/driver/log-keeping.js';
import { RaftDriver, type PeerHead } from '../../src/driver/raft-driver.js';
import type { MintedBlock, Minter } from '../../src/driver/minter.js';
import type { BlockCodec, LogBlock } from '../../src/log/log-block.js';
import { LogKeys } from '../../src/log/log-keys.js';
import type { Member } from '../../src/log/log-records.js';
import type { Link, SimulatedEtcd } from './simulated-etcd.js';

/** A block that says which transactions are in it, and nothing else. */
export interface ToyBlock extends LogBlock {
  readonly transactions: readonly number[];
  readonly raftId: number;
}

export const GENESIS: ToyBlock = {
  hash: hashFromBytes(new Uint8Array(32).fill(9)),
  header: { number: 0, parentHash: hashFromBytes(new Uint8Array(32)) },
  transactions: [],
  raftId: 0,
};

const codec: BlockCodec<ToyBlock> = {
  encode: (block) => Buffer.from(JSON.stringify(block)),
  decode: async (encoded) => JSON.parse(Buffer.from(encoded).toString('utf8')) as ToyBlock,
};

const TRANSACTIONS_OF_BLOCK = 5;
const ASK_MS = 100;
export const KEYS = new LogKeys(1337n, GENESIS.hash);

export const nodeIdOf = (raftId: number) => raftId.toString(16).padStart(128, '0');

export function memberOf(raftId: number): Member {
  const [hostname, p2pPort, raftPort] = ['127.0.0.1', 21_000 + raftId, 50_400 + raftId];
  return { raftId, nodeId: nodeIdOf(raftId), hostname, p2pPort, raftPort, kind: 'voter' };
}

export interface SimulatedNodeParts {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly etcd: SimulatedEtcd;
  /** Transactions that clients have sent, by number. */
  readonly submitted: ReadonlySet<number>;
  readonly members: readonly Member[];
  /** Called for each block that a chain stores. */
  readonly onStored: (node: SimulatedNode, block: ToyBlock) => void;
  readonly peerHeads: () => readonly PeerHead[];
  /** A block of another running node, as far as they give any. */
  readonly blockOfPeers: (number: number) => ToyBlock | undefined;
  readonly logLimits: LogLimits | undefined;
}

/** A node: its chain outlives its process. */
export class SimulatedNode {
  readonly chain: ToyBlock[] = [GENESIS];
  link: Link = { isCut: false, lossRate: 0, delayMs: 5, isDead: true };
  driver: RaftDriver<ToyBlock> | undefined;
  /** How long storing a block takes. Units: ms */
  storeMs = 3;
  restoresLog = false;
  /** Names of reasons as they were logged: `+` when one came, `-` when it had gone. */
  readonly reasonLines: string[] = [];
  private readonly mined = new Set<number>();
  private life = 0;
  private onWork: () => void = () => undefined;
  private salt = 0;

  constructor(
    readonly raftId: number,
    private readonly parts: SimulatedNodeParts,
  ) {}

  get isRunning(): boolean {
    return this.driver !== undefined;
  }

  head(): ToyBlock {
    return this.chain.at(-1) as ToyBlock;
  }

  has(transaction: number): boolean {
    return this.mined.has(transaction);
  }

  start(): void {
    const { clock, random, etcd, members, peerHeads } = this.parts;
    this.link = { isCut: false, lossRate: 0, delayMs: 5, isDead: false };
    const life = (this.life += 1);
    this.driver = new RaftDriver<ToyBlock>({
      store: etcd.client(this.link),
      keys: KEYS,
      codec,
      clock,
      random,
      peerHeads,
      chain: {
        head: () => this.head(),
        hashOf: async (number) => this.chain[number]?.hash,
        findBlock: async (number) => this.chain[number],
        importBlock: (block) => this.store(block, life),
      },
      minter: this.minter(life),
      nodeId: nodeIdOf(this.raftId),
      genesisHash: GENESIS.hash,
      firstMembers: members,
      blockTimeMs: 50,
      leaseSeconds: 3,
      logger: this.logger(),
      isFaultOfBlock: () => false,
      restoresLog: this.restoresLog,
      logLimits: this.parts.logLimits,
    });
    this.driver.start();
    this.askPeers(life);
  }

  /** As the sync of peers does, for blocks that the log no longer has. */
  private askPeers(life: number): void {
    this.parts.clock.schedule(ASK_MS, async () => {
      const number = this.head().header.number + 1;
      const block = this.parts.blockOfPeers(number);
      if (this.life !== life) return;
      if (block !== undefined && this.driver?.mayTakeFromPeers(block) === true) await this.store(block, life);
      this.askPeers(life);
    });
  }

  /** As the pool does, once for each new transaction: a node that cannot mint at that moment hears of it no more. */
  announceWork(): void {
    if (this.isRunning) this.onWork();
  }

  /** As by kill -9: what was not stored is lost, and nothing more comes from it. */
  crash(): void {
    this.link.isDead = true;
    this.life += 1;
    this.driver = undefined;
  }

  private logger(): Logger {
    const noting =
      (sign: string): Logger['info'] =>
      (message, values) => {
        if (message.includes('trouble')) this.reasonLines.push(`${sign}${String(values?.['name'])}`);
      };
    return { ...silentLogger, error: noting('+'), info: noting('-') };
  }

  private minter(life: number): Minter<ToyBlock> {
    const waiting = () => [...this.parts.submitted].filter((one) => !this.mined.has(one));
    return {
      hasWork: () => this.life === life && waiting().length > 0,
      onWork: (listener) => {
        this.onWork = listener;
        return () => undefined;
      },
      mint: async ({ raftId }): Promise<MintedBlock<ToyBlock> | undefined> => {
        const transactions = waiting().slice(0, TRANSACTIONS_OF_BLOCK);
        await this.wait(2);
        if (this.life !== life || transactions.length === 0) return undefined;
        const block = this.blockOf(transactions, raftId);
        return { block, size: 1, store: () => this.store(block, life) };
      },
    };
  }

  private blockOf(transactions: readonly number[], raftId: number): ToyBlock {
    const parent = this.head();
    const header = { number: parent.header.number + 1, parentHash: parent.hash };
    const text = JSON.stringify([header, transactions, raftId, (this.salt += 1)]);
    const hash: Hash = hashFromBytes(keccak256(Buffer.from(text)));
    return { hash, header, transactions, raftId };
  }

  private async store(block: ToyBlock, life: number): Promise<void> {
    await this.wait(this.storeMs * (0.5 + this.parts.random()));
    // A process that is gone stores nothing, and its promises lead nowhere.
    if (this.life !== life) return new Promise(() => undefined);
    if (block.hash === this.head().hash) return;
    if (block.header.parentHash !== this.head().hash)
      throw new Error('a block that does not follow the head');
    this.chain.push(block);
    for (const one of block.transactions) this.mined.add(one);
    this.parts.onStored(this, block);
  }

  private wait(ms: number): Promise<void> {
    return new Promise((done) => this.parts.clock.schedule(ms, done));
  }
}
