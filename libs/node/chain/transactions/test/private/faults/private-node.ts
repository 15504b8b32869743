import { connectDatabase } from '@tetrad/db';
import {
  StateDatabase,
  createExecutor,
  decodeTransaction,
  parseGenesis,
  stageOf,
} from '@tetrad/node-execution';
import {
  ChainFollower,
  ManagerPayloads,
  ManagerSharedStates,
  PrivateFollowing,
  StoredMetadata,
  payloadHash,
  privacySwitches,
  storedRoots,
  type PayloadHash,
} from '@tetrad/node-private-state';
import { openLedger, type Ledger } from '@tetrad/node-ledger';
import { openLedgerStore, type PrivateStateStore } from '@tetrad/node-store';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { ManagerClient } from '@tetrad/transaction-manager-client';
import { silentLogger, silentMetrics, systemClock, type Block, type Hash, type Logger } from '@tetrad/types';
import { MintedRules, type Minted } from '../../../../ledger/test/minted-rules.js';
import { CHAIN_ID, genesisFile } from '../../../../../privacy/private-state/test/recorded-chain.js';
import { PayloadDistributor, type Manager, type HeadWorlds } from '../../../src/index.js';
import type { Links } from './faulty-manager.js';

/** A request by which a node sent a payload. */
export type Sent = Parameters<Manager['send']>[0];

export interface PrivateNodeSetup {
  readonly links: Links;
  /** Whether a write of private state fails, and whether it is done all the same. */
  readonly drawWrite: () => 'done' | 'lost' | 'done unheard';
  readonly onSent: (hash: PayloadHash, sent: Sent) => void;
}

const PATIENCE = { timeoutMs: 60_000, connectTimeoutMs: 60_000 };
const FILE = genesisFile('private') as { readonly config: object };
const GENESIS = parseGenesis({ ...FILE, config: { ...FILE.config, qbft: undefined, raft: true } });
const switchesAt = privacySwitches(GENESIS);

/** Pauses and failures that a follower reported, over all restarts. */
export interface FollowerReports {
  readonly pauses: string[];
  readonly failures: string[];
}

/** A node's chain, its private state and its sending of private payloads, without the network. */
export class PrivateNode {
  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly setup: PrivateNodeSetup,
    readonly reports: FollowerReports,
    private life: Life,
  ) {}

  static async open(setup: PrivateNodeSetup): Promise<PrivateNode> {
    const testDatabase = await createTestDatabase('node');
    const reports: FollowerReports = { pauses: [], failures: [] };
    return new PrivateNode(testDatabase, setup, reports, await live(testDatabase.url, setup, reports));
  }

  get ledger(): Ledger<Minted> {
    return this.life.ledger;
  }

  get follower(): ChainFollower<Block> {
    return this.life.follower;
  }

  get store(): PrivateStateStore {
    return this.life.store;
  }

  get states(): StateDatabase {
    return this.life.states;
  }

  get distributor(): PayloadDistributor {
    return this.life.distributor;
  }

  rootAt(blockNumber: number): Promise<Hash> {
    return this.life.following.rootAt(blockNumber);
  }

  async restart(): Promise<void> {
    await this.life.close();
    this.life = await live(this.testDatabase.url, this.setup, this.reports);
  }

  async end(): Promise<void> {
    await this.life.close();
    await this.testDatabase.drop();
  }
}

type Life = Awaited<ReturnType<typeof live>>;

async function live(url: string, setup: PrivateNodeSetup, reports: FollowerReports) {
  const database = await connectDatabase({ url, poolSize: 4 });
  const ledgerStore = await openLedgerStore(database);
  const executor = createExecutor(GENESIS);
  const clock = { ...systemClock, now: () => 4_000_000_000_000 };
  const quiet = { logger: silentLogger, metrics: silentMetrics };
  const rules = await MintedRules.open(database);
  const ledger = await openLedger({ genesis: GENESIS, rules, store: ledgerStore, executor, clock, ...quiet });
  const manager = new ManagerClient({ ...PATIENCE, url: setup.links.ofFollower.url });
  const sending = new ManagerClient({ ...PATIENCE, url: setup.links.ofSender.url });
  const store = faultyStore(ledgerStore.privateState, setup.drawWrite);
  const states = new StateDatabase({ source: store, metrics: silentMetrics, name: 'private ' });
  const following = followingOf(ledger, manager, { states, store });
  const follower = await ChainFollower.open<Block>({
    name: 'private state',
    chain: ledger,
    following,
    metrics: silentMetrics,
    logger: listener(reports),
    clock: systemClock,
    retryMs: 2,
    maxRetryMs: 20,
  });
  const openWorlds = () => worldsAtHead(ledger, { follower, following, states, store });
  const distributor = distributorOf(sending, setup.onSent, { openWorlds, ledger });
  const close = async () => {
    await follower.stop();
    await Promise.all([manager.close(), sending.close()]);
    await ledgerStore.close();
    await database.close();
  };
  return { ledger, store, states, following, follower, distributor, close };
}

function followingOf(
  ledger: Ledger<Minted>,
  manager: ManagerClient,
  own: { readonly states: StateDatabase; readonly store: PrivateStateStore },
): PrivateFollowing {
  const { executor } = ledger;
  const payloads = new ManagerPayloads(manager, { needsPrivacyFlags: true });
  return new PrivateFollowing({
    replay: async (block) => {
      const { context, world } = await ledger.replay(block);
      return {
        context: executor.context(context),
        world: world.evm,
        execute: (transaction) => executor.executeTransaction(context, transaction, world),
      };
    },
    countLogs: async (block) =>
      (await ledger.listReceipts(block)).reduce((sum, { receipt }) => sum + receipt.logs.length, 0),
    payloads,
    sharedStates: new ManagerSharedStates(manager, payloads),
    decode: (raw) => decodeTransaction(raw, CHAIN_ID),
    ...own,
    switchesAt,
    chainId: CHAIN_ID,
  });
}

function listener({ pauses, failures }: FollowerReports): Logger {
  return {
    ...silentLogger,
    warn: (_message, values) => void pauses.push(String(values?.['reason'])),
    error: (_message, values) => void failures.push(String(values?.['error'])),
  };
}

/** Writes that fail as those of a database do: before they are done, or after. */
function faultyStore(store: PrivateStateStore, draw: PrivateNodeSetup['drawWrite']): PrivateStateStore {
  const moveHead: PrivateStateStore['moveHead'] = async (...write) => {
    const fault = draw();
    if (fault === 'lost') throw new Error('the connection was lost');
    await store.moveHead(...write);
    if (fault === 'done unheard') throw new Error('the connection was lost');
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'moveHead') return moveHead;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function distributorOf(
  client: ManagerClient,
  onSent: PrivateNodeSetup['onSent'],
  parts: {
    readonly openWorlds: () => Promise<HeadWorlds>;
    readonly ledger: Ledger<Minted>;
  },
): PayloadDistributor {
  const { openWorlds, ledger } = parts;
  const head = () => ledger.head().header.number;
  const send: Manager['send'] = async (request, signal) => {
    const outcome = await client.send(request, signal);
    if (outcome.kind === 'done') onSent(payloadHash(outcome.value.hash), request);
    return outcome;
  };
  const manager = { send } as Manager;
  const privateHead = {
    switches: () => switchesAt(head() + 1),
    run: async <T>(work: (worlds: HeadWorlds) => Promise<T>) => work(await openWorlds()),
  };
  // Parties are left out here on purpose.
  const recipients = { check: async () => undefined };
  return new PayloadDistributor({ manager, head: privateHead, recipients });
}

async function worldsAtHead(
  ledger: Ledger<Minted>,
  own: Pick<Life, 'follower' | 'following' | 'states' | 'store'>,
): Promise<HeadWorlds> {
  const head = ledger.head();
  const { number } = head.header;
  await until(() => own.follower.head >= number, 2);
  const { executor } = ledger;
  const block = ledger.contextOf(head.header);
  const { context, world } = stageOf({ executor, block, world: await ledger.worldAt(head) });
  const privateState = await own.states.openWorld(await own.following.rootAt(number), world.journal);
  const metadata = new StoredMetadata(own.store, number);
  return { context, publicWorld: world, privateWorld: privateState.evm, metadata, roots: storedRoots };
}
