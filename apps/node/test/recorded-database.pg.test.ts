import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, listMigrations, migrateDeploy, prismaFolder } from '@tetrad/db';
import { isToRecord, openRecording, recordDatabases, recordedVersions } from '@tetrad/testkit';
import { getCreateAddress } from 'ethers';
import {
  PATIENCE,
  RECORDED_KEYS,
  VALIDATOR,
  privacyGenesis,
  recordedAccounts,
  startManager,
  startPrivacyNetwork,
  type TestManager,
} from './privacy-network.js';
import { PrivateClient, contracts, creationOf, sendAndMine, setTo } from './rpc/privacy/private-contracts.js';
import { startNode, type RunningNode } from './running-node.js';

/** Databases of released versions: of a validator, and of its transaction manager. Source: ORIGIN.md there */
const FOLDER = join(import.meta.dirname, '../vectors');
const NODE = { folder: FOLDER, service: 'node' };
const MANAGER = { folder: FOLDER, service: 'transaction-manager' };

const ACCOUNTS = recordedAccounts(2);
const KEYS = RECORDED_KEYS.slice(0, 2);
/** Values of the recorded contracts, a public and a private one. */
const [PUBLIC, PRIVATE] = [41, 42];
const [PUBLIC_CONTRACT, PRIVATE_CONTRACT] = [0, 2].map((nonce) =>
  getCreateAddress({ from: ACCOUNTS[0]?.address ?? '', nonce }),
) as [string, string];
/** V of private transactions. */
const PRIVATE_V = new Set(['0x25', '0x26']);

/** What a recording holds: a public contract, a private one of two parties, calls of both, and what waits in the pool. */
async function record(version: string): Promise<void> {
  const network = await startPrivacyNetwork({ keys: KEYS, accounts: ACCOUNTS });
  const [node] = network.nodes as [RunningNode];
  const client = new PrivateClient(network);
  for (const [value, privateFor] of [
    [PUBLIC, undefined],
    [PRIVATE, [client.key(1)]],
  ] as const) {
    const request = { from: client.account(0), ...(privateFor === undefined ? {} : { privateFor }) };
    const { receipts } = await sendAndMine(node, network.nodes, {
      ...request,
      data: creationOf('SimpleStorage', 1),
    });
    await sendAndMine(node, network.nodes, {
      ...request,
      to: receipts[0]?.contractAddress,
      data: setTo(value),
    });
  }
  const [manager] = network.managers;
  await recordDatabases(FOLDER, version, {
    node: node.databaseUrl,
    'transaction-manager': manager?.databaseUrl ?? '',
  });
  await network.stop();
}

describe.each(recordedVersions(NODE))('databases of a node and its manager of version %s', (version) => {
  let node: RunningNode;
  let manager: TestManager;
  beforeAll(async () => {
    if (isToRecord(NODE, version)) await record(version);
    const [chain, payloads] = [await openRecording(NODE, version), await openRecording(MANAGER, version)];
    await migrateDeploy(chain.url, prismaFolder('node'));
    await migrateDeploy(payloads.url, prismaFolder('transaction-manager'));
    manager = await startManager(KEYS[0] as (typeof KEYS)[0], {}, { given: payloads });
    node = await startNode([...PATIENCE, '--ptm-url', manager.url], {
      genesis: privacyGenesis(ACCOUNTS),
      nodeKey: VALIDATOR,
      held: ACCOUNTS.slice(0, 1),
      database: chain,
      modules: 'eth,net,web3,debug,eea,priv',
    });
  });
  afterAll(async () => {
    await node?.stop();
    await manager?.end();
  });

  it.each(['node', 'transaction-manager'])(
    'of a %s have all migrations once they are deployed',
    async (service) => {
      const url = service === 'node' ? node.databaseUrl : manager.databaseUrl;
      const { pool, close } = await connectDatabase({ url, poolSize: 1 });
      const { rowCount } = await pool.query('SELECT FROM _prisma_migrations WHERE finished_at IS NOT NULL');
      await close();
      expect(rowCount).toBe((await listMigrations(prismaFolder(service))).length);
    },
  );

  const valueOf = async (to: string) =>
    Number(await node.result('eth_call', [{ to, data: contracts.encodeFunctionData('get') }]));

  it('have public and private state as it was', async () => {
    expect([await valueOf(PUBLIC_CONTRACT), await valueOf(PRIVATE_CONTRACT)]).toEqual([PUBLIC, PRIVATE]);
  });

  it('have the payloads of private transactions', async () => {
    const creation = (await transactions(node)).find(({ v, to }) => to === null && PRIVATE_V.has(v));
    expect(await node.result('eth_getChainPayload', [creation?.input])).toBe(creationOf('SimpleStorage', 1));
  });

  it('continue with public and private transactions', async () => {
    const head = Number(await node.result('eth_blockNumber'));
    await sendAndMine(node, [node], { to: PUBLIC_CONTRACT, data: setTo(PUBLIC + 100) });
    const privateFor = [manager.key];
    await sendAndMine(node, [node], { to: PRIVATE_CONTRACT, data: setTo(PRIVATE + 100), privateFor });
    expect([await valueOf(PUBLIC_CONTRACT), await valueOf(PRIVATE_CONTRACT)]).toEqual([
      PUBLIC + 100,
      PRIVATE + 100,
    ]);
    expect(Number(await node.result('eth_blockNumber'))).toBeGreaterThan(head);
  });
});

interface ReadTransaction {
  readonly v: string;
  readonly to: string | null;
  readonly input: string;
}

/** Of all blocks, oldest first. */
async function transactions(node: RunningNode): Promise<ReadTransaction[]> {
  const found: ReadTransaction[] = [];
  for (let number = Number(await node.result('eth_blockNumber')); number > 0; number--) {
    const block = await node.result<{ transactions: ReadTransaction[] }>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      true,
    ]);
    found.unshift(...block.transactions);
  }
  return found;
}
