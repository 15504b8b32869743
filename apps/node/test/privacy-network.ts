import { addressFromPrivateKey, keccak256 } from '@tetrad/crypto';
import { connectDatabase } from '@tetrad/db';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import { createTestDatabase, until, type DevelopmentAccount, type TestDatabase } from '@tetrad/testkit';
import {
  keyPairFromPrivate,
  startTransactionManager,
  type KeyPair,
  type RunningTransactionManager,
  type TransactionManagerOptions,
} from '@tetrad/transaction-manager';
import { hexFromBytes, silentLogger, type Logger } from '@tetrad/types';
import { CHAIN_ID, startNode, type RunningNode } from './running-node.js';
import { connect } from './validator-network.js';

/** A Tetrad manager in this process, on a database of its own. */
export interface TestManager extends RunningTransactionManager {
  readonly url: string;
  readonly key: string;
  readonly databaseUrl: string;
  end(): Promise<void>;
}

/**
 * Stores what is not sent yet with a manager.
 * @returns its hash (64), which a transaction carries
 */
export async function storeRaw({ url, key: from }: TestManager, data: string): Promise<Uint8Array> {
  const payload = Buffer.from(data.slice(2), 'hex').toString('base64');
  const response = await fetch(`${url}/storeraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload, from }),
  });
  return Buffer.from(((await response.json()) as { key: string }).key, 'base64');
}

export interface PrivacyNetworkSetup {
  /** Keys of the managers; one node for each. */
  readonly keys: readonly KeyPair[];
  /** Accounts of the nodes, one each. */
  readonly accounts: readonly DevelopmentAccount[];
  readonly flags?: readonly string[];
  /** What one node has besides, where not all are alike. */
  readonly flagsOf?: (index: number) => readonly string[];
  /** What the genesis file of one node says otherwise in `config`. */
  readonly configOf?: (index: number) => object;
  /** What one manager has besides. */
  readonly managerOptionsOf?: (index: number) => Partial<TransactionManagerOptions>;
  /** Logger of nodes and managers. */
  readonly logger?: Logger;
  readonly modules?: string;
  /** Seconds between blocks without transactions; the block period without it. */
  readonly emptyBlockPeriodSeconds?: number;
  /** URLs of the managers as the nodes are configured; their own without it. */
  readonly urlOf?: (index: number, managers: readonly TestManager[]) => string;
}

/** Nodes with a manager each, on a chain with all of privacy from block 0 and the EVM of Istanbul. */
export interface PrivacyNetwork {
  readonly nodes: readonly RunningNode[];
  readonly managers: readonly TestManager[];
  stop(): Promise<void>;
}

/** On a busy host everything takes long, and nothing has failed by that. */
export const PATIENCE = [
  '--private-state-wait',
  '60s',
  '--ptm-timeout',
  '60s',
  '--ptm-connect-timeout',
  '60s',
];
/** What the flags of a node do not set otherwise. */
function patience(flags: readonly string[]): readonly string[] {
  return PATIENCE.filter((_, index) => !flags.includes(PATIENCE[index - (index % 2)] ?? ''));
}
const LOOPBACK = { host: '127.0.0.1', port: 0 };
/** Key of the only validator, which is the first node. */
export const VALIDATOR = Buffer.alloc(32, 0x42);

export async function startPrivacyNetwork(setup: PrivacyNetworkSetup): Promise<PrivacyNetwork> {
  const { keys, accounts, flags = [], urlOf = (index, managers) => managers[index]?.url ?? '' } = setup;
  const managers: TestManager[] = [];
  const nodes: RunningNode[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all(managers.map((manager) => manager.end()));
  };
  try {
    for (const [index, key] of keys.entries()) {
      const peers = managers.map(({ peerUrl }) => peerUrl);
      const { logger = silentLogger } = setup;
      managers.push(await startManager(key, { peers, ...setup.managerOptionsOf?.(index) }, { logger }));
    }
    await until(async () => managers.every(({ parties }) => keys.every((key) => knows(parties, key))));
    const genesis = privacyGenesis(accounts, setup.emptyBlockPeriodSeconds);
    for (const [index, account] of accounts.entries()) {
      const own = [...flags, ...(setup.flagsOf?.(index) ?? [])];
      const config = { ...genesis.config, ...setup.configOf?.(index) };
      const nodeKey = index === 0 ? VALIDATOR : Buffer.alloc(32, 0x50 + index);
      nodes.push(
        await startNode(
          [...patience(own), '--peer-exchange', 'false', '--ptm-url', urlOf(index, managers), ...own],
          {
            genesis: { ...genesis, config },
            nodeKey,
            held: [account],
            modules: setup.modules ?? 'eth,net,web3,debug,trace,ots,erigon,explorer,admin,eea,priv',
            ...(setup.logger === undefined ? {} : { logger: setup.logger }),
          },
        ),
      );
    }
    await connect(nodes);
    return { nodes, managers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param options.given - a database that exists, in place of a new one; it is dropped when the manager ends */
export async function startManager(
  key: KeyPair,
  options: Partial<TransactionManagerOptions>,
  { logger = silentLogger, given }: { readonly logger?: Logger; readonly given?: TestDatabase } = {},
): Promise<TestManager> {
  const testDatabase = given ?? (await createTestDatabase('transaction-manager'));
  const database = await connectDatabase({ url: testDatabase.url, poolSize: 4 });
  const running = await startTransactionManager({
    database,
    logger,
    version: 'test',
    keys: [key],
    client: LOOPBACK,
    peer: LOOPBACK,
    thirdParty: LOOPBACK,
    partyIntervalMs: 100,
    ...options,
  });
  return {
    ...running,
    url: (running.clientUrl ?? '').replace(/\/$/, ''),
    key: key.publicKey,
    databaseUrl: testDatabase.url,
    async end() {
      await running.stop();
      await database.close();
      await testDatabase.drop();
    },
  };
}

const knows = (parties: RunningTransactionManager['parties'], { publicKey }: KeyPair) =>
  parties.entries.some(({ key }) => key === publicKey);

/** As that of the recorded chains, with shorter blocks. */
export function privacyGenesis(
  accounts: readonly DevelopmentAccount[],
  emptyBlockPeriodSeconds?: number,
): { readonly config: object } {
  const genesis = defaultGenesis({
    chainId: CHAIN_ID,
    engine: 'qbft',
    blockPeriodMs: 200,
    emptyBlockPeriodSeconds,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData([addressFromPrivateKey(VALIDATOR)])),
    balances: new Map(accounts.map(({ address }) => [address, 10n ** 24n])),
  });
  const { qbft } = genesis['config'] as Record<string, object>;
  const forks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg'];
  const from0 = [...forks, 'istanbul', 'privacyEnhancements', 'privacyPrecompile'];
  const switches = Object.fromEntries(from0.map((name) => [`${name}Block`, 0]));
  return { ...genesis, config: { chainId: CHAIN_ID, rules: 'tetrad', qbft, ...switches } };
}

/** Accounts of the nodes of the recorded chains. Source: ORIGIN.md there */
export function recordedAccounts(count: number): DevelopmentAccount[] {
  return Array.from({ length: count }, (_, index) => {
    const privateKey = keccak256(new TextEncoder().encode(`tetrad private vector ${index}`));
    return { address: addressFromPrivateKey(privateKey), privateKey };
  });
}

/** Keys of the managers of the recorded chains. Source: shared/data/manager/vectors.json, a1, b1 and c1 */
export const RECORDED_KEYS: readonly KeyPair[] = [
  'HW+XsWR192L4J8utt5Db4sDS5fnGIpgs9I+C1CCDtyw=',
  '7wzF+h5bVp+MTGSKFHsyIpYpVnM3tAownnN4tQIjd8Q=',
  'SJDhgHbVkLSW8WLqbynel3CrygrN7ADydqT0bfsKKCw=',
].map((key) => keyPairFromPrivate(Buffer.from(key, 'base64')));
