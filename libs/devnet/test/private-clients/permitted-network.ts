import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PORTS_PER_NODE, callRpc, freePorts, type Endpoints } from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS, startChildService, until, type ChildService } from '@tetrad/testkit';
import { Wallet } from 'ethers';
import { MAIN } from '../tetrad-process.js';

/** Method names of the archived clients, for methods with another name here. */
const ALIASES = [
  'quorumPermission=chainPermission',
  'quorumExtension=chainExtension',
  'istanbul=ibft',
  'eth_getQuorumPayload=eth_getChainPayload',
];
/** The result of a permission action. */
export const DONE = 'Action completed successfully';
/** Returns slot 0 when it is called without data, and otherwise stores the word of the call data. */
const RUNTIME = '36600f5760005460005260206000f35b60003560005500';
/** Stores 42 and returns that contract. */
export const CREATION = `0x602a6000556017601160003960176000f3${RUNTIME}`;
export const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

export type Engine = 'qbft' | 'raft';

/** A node that does not run. */
export function randomEnode(engine: Engine): string {
  const nodeId = Wallet.createRandom().signingKey.publicKey.slice(4);
  return `enode://${nodeId}@127.0.0.1:21999?discport=0${engine === 'raft' ? '&raftport=50499' : ''}`;
}

export type Entry = Readonly<Record<string, unknown>>;

/**
 * Whether a list has an entry with these members.
 * @param list - null when it is empty, as some clients have it
 */
export function found(list: unknown, wanted: Entry): boolean {
  const isWanted = (entry: Entry) => Object.entries(wanted).every(([name, value]) => entry[name] === value);
  return ((list ?? []) as readonly Entry[]).some(isWanted);
}

export interface MinedReceipt {
  readonly status: string;
  readonly contractAddress: string;
}

/** Three permissioned nodes with managers, started by `./tetrad up`, which serve GoQuorum's method names too. */
export class PermittedNetwork {
  private running: ChildService | undefined;
  private served: Endpoints | undefined;

  private constructor(
    private readonly folder: string,
    /** The command without `--permissioned`. */
    readonly words: readonly string[],
  ) {}

  static async start(consensus: Engine): Promise<PermittedNetwork> {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-permitted-'));
    const network = new PermittedNetwork(folder, [
      'up',
      '--consensus',
      consensus,
      '--nodes',
      '3',
      '--services',
      'node,transaction-manager',
      ...(consensus === 'raft' ? ['--block-period', '200'] : SHORT_BLOCK_PERIODS),
      '--port-base',
      String(await freePorts(3 * PORTS_PER_NODE)),
      '--data-dir',
      join(folder, 'data'),
      '--endpoints-file',
      join(folder, 'endpoints.json'),
      '--node-options',
      `--rpc-alias ${ALIASES.join()}`,
    ]);
    await network.up();
    return network;
  }

  /** Starts it, for the first time or on the data of the last. */
  async up(): Promise<void> {
    const endpointsFile = join(this.folder, 'endpoints.json');
    this.running = await startChildService({
      name: 'up',
      command: process.execPath,
      args: [MAIN, ...this.words, '--permissioned'],
      environment: { NODE_OPTIONS: '' },
      logFile: join(this.folder, 'up.log'),
      isReady: async () => existsSync(endpointsFile),
    });
    this.served = JSON.parse(await readFile(endpointsFile, 'utf8')) as Endpoints;
  }

  /** Stops it, and keeps its data. */
  async down(): Promise<void> {
    await this.running?.stop();
  }

  get endpoints(): Endpoints {
    if (this.served === undefined) throw new Error('the network has not been started');
    return this.served;
  }

  /** The file that names the contracts of the permissions. */
  configuration(): Promise<string> {
    return readFile(join(this.folder, 'data', 'permission-config.json'), 'utf8');
  }

  /** Indexes of the nodes. */
  get indexes(): readonly number[] {
    return [...this.endpoints.nodes.keys()];
  }

  node(index: number): Endpoints['nodes'][number] {
    return this.endpoints.nodes[index] as Endpoints['nodes'][number];
  }

  /** Key of the node's transaction manager. */
  key(index: number): string {
    return `${this.node(index).ptmKey}`;
  }

  /** A network admin, whose key the node holds. */
  admin(index: number): string {
    return `${this.node(index).accounts[0]}`;
  }

  ask(index: number, method: string, ...params: readonly unknown[]): Promise<unknown> {
    return callRpc(this.node(index).rpc, method, params);
  }

  /**
   * The receipt of a transaction, once each node has it.
   * @returns that of the first
   */
  async mined(hash: string): Promise<MinedReceipt> {
    const receiptAt = (index: number) => this.ask(index, 'eth_getTransactionReceipt', hash);
    for (const index of this.indexes) await until(async () => (await receiptAt(index)) !== null);
    return (await receiptAt(0)) as MinedReceipt;
  }

  /** Slot 0 of the contract at each node. */
  slots(contract: string): Promise<unknown[]> {
    return Promise.all(
      this.indexes.map((index) => this.ask(index, 'eth_getStorageAt', contract, '0x0', 'latest')),
    );
  }

  async inputOf(hash: string): Promise<string> {
    return ((await this.ask(0, 'eth_getTransactionByHash', hash)) as { input: string }).input;
  }

  async stop(): Promise<void> {
    await this.down();
    await rm(this.folder, { recursive: true, force: true });
  }
}
