import { VirtualClock, seededRandom } from '@tetrad/testkit';
import type { LogLimits } from '../../src/driver/log-keeping.js';
import type { PeerHead } from '../../src/driver/raft-driver.js';
import { SimulatedEtcd, type EtcdSnapshot } from './simulated-etcd.js';
import type { KeyEvent } from '../../src/log/log-store.js';
import { GENESIS, KEYS, SimulatedNode, memberOf, nodeIdOf, type ToyBlock } from './simulated-node.js';

const STEP_MS = 200;
const SUFFERING_MS = 60_000;
const PATIENCE_MS = 120_000;

export interface RaftSimulationOptions {
  readonly seed: number;
  readonly voters: number;
  readonly logLimits?: LogLimits;
}

export interface RaftSimulationResult {
  readonly violations: readonly string[];
  readonly height: number;
  readonly crashes: number;
  readonly minters: number;
}

/** Nodes on one etcd that suffers with them; afterwards everything is mended, and the chain must be whole. */
export class RaftSimulation {
  readonly clock = new VirtualClock();
  readonly etcd: SimulatedEtcd;
  readonly nodes: readonly SimulatedNode[];
  readonly violations: string[] = [];
  readonly submitted = new Set<number>();
  /** Whether nodes give blocks to each other. */
  givesBlocks = false;
  private readonly random: () => number;
  /** The one block of each number. */
  private readonly agreed = new Map<number, ToyBlock>([[0, GENESIS]]);
  private appended = 0;
  private forgets = false;
  private crashes = 0;

  constructor({ seed, voters, logLimits }: RaftSimulationOptions) {
    this.random = seededRandom(seed);
    this.etcd = new SimulatedEtcd(this.clock, this.random);
    const members = Array.from({ length: voters }, (_, index) => memberOf(index + 1));
    this.nodes = members.map(
      ({ raftId }) =>
        new SimulatedNode(raftId, {
          clock: this.clock,
          random: this.random,
          etcd: this.etcd,
          submitted: this.submitted,
          members,
          onStored: (node, block) => this.check(node, block),
          peerHeads: () => this.peerHeads(),
          blockOfPeers: (number) => this.blockOfPeers(number),
          logLimits,
        }),
    );
    this.etcd.onChange((events) => this.checkAppend(events));
  }

  /** What running nodes tell each other. */
  private peerHeads(): readonly PeerHead[] {
    return this.nodes
      .filter((node) => node.isRunning)
      .map((node) => ({ nodeId: nodeIdOf(node.raftId), number: node.head().header.number }));
  }

  private blockOfPeers(number: number): ToyBlock | undefined {
    if (!this.givesBlocks) return undefined;
    return this.nodes.find((node) => node.isRunning && node.chain[number] !== undefined)?.chain[number];
  }

  startAll(): void {
    for (const node of this.nodes) node.start();
  }

  submit(count: number): void {
    for (let index = 0; index < count; index++) this.submitted.add(this.submitted.size);
    for (const node of this.nodes) node.announceWork();
  }

  async pass(ms: number): Promise<void> {
    await this.clock.runUntil(this.clock.now() + ms, () => false);
  }

  /** @returns whether it came to hold in time */
  async passUntil(holds: () => boolean, ms = PATIENCE_MS): Promise<boolean> {
    const endsMs = this.clock.now() + ms;
    while (!holds() && this.clock.now() < endsMs) await this.pass(STEP_MS);
    return holds();
  }

  async run(): Promise<RaftSimulationResult> {
    this.startAll();
    const endsMs = this.clock.now() + SUFFERING_MS;
    while (this.clock.now() < endsMs) {
      if (this.random() < 0.5) this.submit(1 + Math.floor(this.random() * 4));
      this.suffer();
      await this.pass(STEP_MS);
    }
    this.heal();
    if (!(await this.passUntil(() => this.isWhole())))
      this.violations.push(
        `not whole after ${PATIENCE_MS} ms: ${this.nodes.map((node) => this.say(node)).join('; ')}`,
      );
    const minters = new Set([...this.agreed.values()].map(({ raftId }) => raftId)).size - 1;
    return { violations: this.violations, height: this.agreed.size - 1, crashes: this.crashes, minters };
  }

  heal(): void {
    this.etcd.isAway = false;
    for (const node of this.nodes) {
      Object.assign(node.link, { isCut: false, lossRate: 0, delayMs: 5 });
      node.storeMs = 3;
      if (!node.isRunning) node.start();
    }
  }

  /** Whether all have one chain, and every transaction is in it. */
  isWhole(): boolean {
    const heads = new Set(this.nodes.map((node) => node.head().hash));
    const [first] = this.nodes;
    return heads.size === 1 && [...this.submitted].every((one) => first?.has(one) === true);
  }

  snapshot(): EtcdSnapshot {
    return this.etcd.snapshot();
  }

  private say(node: SimulatedNode): string {
    return `${node.raftId} at ${node.head().header.number}: ${node.driver?.reasons()[0]?.text ?? 'well'}`;
  }

  /** One thing or another goes wrong, or ends. */
  private suffer(): void {
    const node = this.nodes[Math.floor(this.random() * this.nodes.length)] as SimulatedNode;
    const dice = this.random();
    if (dice < 0.04) this.etcd.isAway = !this.etcd.isAway;
    else if (dice < 0.08) this.etcd.compactAll();
    else if (dice < 0.16) node.link.isCut = !node.link.isCut;
    else if (dice < 0.22) node.link.lossRate = this.random() * 0.3;
    else if (dice < 0.28) node.link.delayMs = 1 + this.random() * 400;
    else if (dice < 0.34) node.storeMs = 1 + this.random() * 300;
    else if (dice < 0.44) this.crashOrStart(node);
    else if (dice < 0.55) this.crashMinter();
  }

  private crashOrStart(node: SimulatedNode): void {
    if (!node.isRunning) return node.start();
    node.crash();
    this.crashes += 1;
  }

  /** The moments of a minter are those that count. */
  private crashMinter(): void {
    const minter = this.nodes.find((node) => node.driver?.state().minter?.raftId === node.raftId);
    if (minter === undefined) return;
    if (this.random() < 0.5) minter.link.isCut = true;
    else this.crashOrStart(minter);
  }

  /** From now on a log that was set back is filled again, by a node that is not the minter. */
  forgetAppended(): void {
    this.forgets = true;
  }

  /** Checks that the node that appends is the minter at that moment, whatever it assumed when it sent the request. */
  private checkAppend(events: readonly KeyEvent[]): void {
    for (const { kind, entry } of events) {
      if (kind !== 'put' || KEYS.numberOf(entry.key) === undefined) continue;
      const block = tryParse(Buffer.from(entry.value).subarray(1).toString('utf8'));
      if (block === undefined) continue;
      const { raftId, header } = block;
      if (this.forgets) continue;
      if (header.number !== (this.appended += 1))
        this.violations.push(`${entry.key} was appended when ${this.appended} was to come`);
      const minter = this.etcd.valueOf(KEYS.minter);
      if (minter === undefined || Number(Buffer.from(minter).toString()) !== raftId)
        this.violations.push(`${entry.key} was appended by ${raftId}, who was not the minter`);
    }
  }

  /** One block of each number, each on the one before, none empty, no transaction twice. */
  private check(node: SimulatedNode, block: ToyBlock): void {
    const { number, parentHash } = block.header;
    const fail = (what: string) => this.violations.push(`node ${node.raftId}, block ${number}: ${what}`);
    const other = this.agreed.get(number);
    if (other !== undefined && other.hash !== block.hash) fail(`another one than ${other.raftId} minted`);
    if (this.agreed.get(number - 1)?.hash !== parentHash) fail('does not follow the block before');
    if (block.transactions.length === 0) fail('is empty');
    if (other !== undefined) return;
    const earlier = [...this.agreed.values()].flatMap(({ transactions }) => transactions);
    if (block.transactions.some((one) => earlier.includes(one))) fail('has a transaction a second time');
    this.agreed.set(number, block);
  }
}

/** Tests write there too. */
function tryParse(text: string): ToyBlock | undefined {
  try {
    return JSON.parse(text) as ToyBlock;
  } catch {
    return undefined;
  }
}
