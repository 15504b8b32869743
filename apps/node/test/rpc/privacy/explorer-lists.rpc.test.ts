import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { sendAndMine } from './private-contracts.js';

const [K1, K2] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Logs a transfer from its caller to the account of its calldata; and the code that deploys it. */
const LOGS_TRANSFER = `0x602b600c600039602b6000f3600035337f${TRANSFER}60006000a300`;
const wordOf = (address: string) => `0x${'00'.repeat(12)}${address.slice(2)}`;
const [HOLDER, PUBLIC_ONE] = ['d1', 'd2'].map((byte) => `0x${byte.repeat(20)}`) as [string, string];

/** The first sends privacy markers, the second private transactions, the third is a party to nothing. */
let network: PrivacyNetwork;
let nodes: readonly RunningNode[];

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    flags: ['--address-index'],
    flagsOf: (index) => (index === 0 ? ['--privacy-markers', 'true'] : []),
  });
  ({ nodes } = network);
});
afterAll(() => network?.stop());

async function ask<T>(node: RunningNode, method: string, ...params: unknown[]): Promise<T> {
  await until(async () => reasonOf(await node.call(method, params)) !== 'ADDRESS_INDEX_NOT_AVAILABLE');
  const result = await node.result<T>(method, params);
  validateExecutionApiResult(method, result);
  return result;
}

interface Listed {
  readonly transactions: readonly { readonly hash: string; readonly blockNumber: string }[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}
interface Holders {
  readonly holders: readonly { readonly address: string }[];
}

const send = (index: number, request: object) =>
  sendAndMine(nodes[index] as RunningNode, nodes, { ...request });

describe('private transactions and a private token', () => {
  let token: string;
  const hashes: string[] = [];

  it('are listed by every node: private ones and markers, and no others', async () => {
    const created = await send(1, { privateFor: [K1], data: LOGS_TRANSFER });
    token = String(created.receipts[1]?.contractAddress);
    const byPrivate = await send(1, { privateFor: [K1], to: token, data: wordOf(HOLDER) });
    await send(2, { to: PUBLIC_ONE, value: '0x0' });
    const byMarker = await send(0, { privateFor: [K2], to: token, data: wordOf(PUBLIC_ONE) });
    hashes.push(byMarker.hash, byPrivate.hash, created.hash);
    for (const node of nodes) {
      const all = await ask<Listed>(node, 'explorer_listPrivateTransactions', 0, 25);
      expect(all.transactions.map(({ hash }) => hash)).toEqual(hashes);
      expect(all).toMatchObject({ firstPage: true, lastPage: true });
      const before = Number(all.transactions[0]?.blockNumber);
      const older = await ask<Listed>(node, 'explorer_listPrivateTransactions', before, 1);
      expect(older.transactions.map(({ hash }) => hash)).toEqual([hashes[1]]);
      expect(older).toMatchObject({ firstPage: false, lastPage: false });
    }
  });

  it('has its holders at its parties alone', async () => {
    const holders = await Promise.all(
      nodes.map((node) => ask<Holders>(node, 'explorer_listTokenHolders', token, 100)),
    );
    const [first, second] = nodes.map(({ accounts }) => accounts[0]);
    const expected = [first, PUBLIC_ONE, second, HOLDER];
    expect(holders.map((page) => page.holders.map(({ address }) => address))).toEqual([
      expected,
      expected,
      [],
    ]);
  });
});
