import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyPairFromPrivate } from '@tetrad/transaction-manager';
import { startOlderManager } from '../../../../../libs/transaction-manager/test/older-manager.js';
import { hexFromBytes } from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { PrivateClient, creationOf, setTo } from './private-contracts.js';

const PRECOMPILE = `0x${'00'.repeat(19)}7a`;
const CREATION = creationOf('SimpleStorage', 42);
const [N1, N2, N3, N4] = [0, 1, 2, 3] as const;
const ALL_SUCCEEDED = ['0x1', '0x1', '0x1', '0x1'];

/**
 * N1 and N2 send markers, N3 and N4 do not. The chain of N3 has no privacy flags, and the manager of N2 does not take
 * them.
 */
let network: PrivacyNetwork;
let client: PrivateClient;
let older: Awaited<ReturnType<typeof startOlderManager>>;
beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: [...RECORDED_KEYS, keyPairFromPrivate(Buffer.alloc(32, 0x44))],
    accounts: recordedAccounts(4),
    flagsOf: (index) => (index === N1 || index === N2 ? ['--privacy-markers', 'true'] : []),
    configOf: (index) => (index === N3 ? { privacyEnhancementsBlock: undefined } : {}),
    managerOptionsOf: (index) => (index === N2 ? { enhanced: false } : {}),
  });
  client = new PrivateClient(network);
  older = await startOlderManager(network.managers[N1]?.peerUrl ?? '');
});
afterAll(async () => {
  await network?.stop();
  await older?.manager.end();
});

interface TransactionView {
  readonly to: string | null;
  readonly v: string;
  readonly input: string;
}

/** The first and the last node are parties to the same contracts, the others to none. */
async function expectRootsOfPartiesEqual(block: string): Promise<void> {
  const roots = await client.ask<string>('debug_privateStateRoot', block);
  expect(roots[N1]).toBe(roots[N4]);
  expect(roots[N2]).toBe(roots[N3]);
  expect(roots[N1]).not.toBe(roots[N2]);
}

/**
 * Creates a contract of N1 and N4 behind a marker.
 * @returns where it is, and the marker's hash and block
 */
async function createBehindMarker(
  request: object = {},
): Promise<{ to: string; marker: string; block: string }> {
  const receipts = await client.mine(N1, { data: CREATION, parties: [N4], ...request });
  expect(receipts.map(({ status }) => status)).toEqual(ALL_SUCCEEDED);
  const marker = String(receipts[N1]?.['transactionHash']);
  const shown = await client.ask<{ contractAddress: string; status: string } | null>(
    'eth_getPrivateTransactionReceipt',
    marker,
  );
  expect(shown.map((receipt) => receipt?.status)).toEqual(['0x1', undefined, undefined, '0x1']);
  return { to: shown[N1]?.contractAddress ?? '', marker, block: receipts[N1]?.blockNumber ?? '' };
}

describe('nodes of which some send markers', () => {
  it('all execute a marker, and its parties the transaction behind it (P-23)', async () => {
    const { to, marker } = await createBehindMarker();
    const outer = await client.ask<TransactionView>('eth_getTransactionByHash', marker);
    expect(outer.map((one) => one.to)).toEqual(Array(4).fill(PRECOMPILE));
    const inner = await client.ask<TransactionView | null>('eth_getPrivateTransactionByHash', marker);
    expect(inner.map((one) => one !== null)).toEqual([true, false, false, true]);
    expect(inner[N4]).toEqual(inner[N1]);
    expect(await client.values(to)).toEqual([42, '0x', '0x', 42]);
  });

  it('change a contract that was created behind a marker without one (P-24)', async () => {
    const { to } = await createBehindMarker();
    const receipts = await client.mine(N4, { to, data: setTo(5), parties: [N1] });
    expect(receipts.map(({ status }) => status)).toEqual(ALL_SUCCEEDED);
    const hash = receipts[N1]?.['transactionHash'];
    for (const sent of await client.ask<TransactionView>('eth_getTransactionByHash', hash)) {
      expect(sent.to).toBe(to);
      expect(['0x25', '0x26']).toContain(sent.v);
      expect(sent.input).toMatch(/^0x[0-9a-f]{128}$/);
    }
    expect(await client.values(to)).toEqual([5, '0x', '0x', 5]);
  });

  it('have the private state of their parties, and no account at the precompile (P-25)', async () => {
    const { to, block } = await createBehindMarker();
    await expectRootsOfPartiesEqual(block);
    const [behind] = await client.mine(N1, { to, data: setTo(6), parties: [N4] });
    await expectRootsOfPartiesEqual(behind?.blockNumber ?? '');
    const [without] = await client.mine(N4, { to, data: setTo(7), parties: [N1] });
    await expectRootsOfPartiesEqual(without?.blockNumber ?? '');
    expect(await client.values(to)).toEqual([7, '0x', '0x', 7]);
    for (const node of network.nodes) {
      const { error } = await node.call('debug_dumpAddress', [PRECOMPILE, 'latest']);
      expect(error?.message).toContain('error retrieving state');
    }
  });
});

describe('nodes and managers of which some have privacy flags', () => {
  it('keep a party’s contract from a node that does not have them (P-47)', async () => {
    const { to } = await createBehindMarker({ privacyFlag: 1 });
    expect(await client.statuses(N3, { to, data: setTo(5), parties: [N1, N4] })).toEqual([
      '0x0',
      '0x1',
      '0x1',
      '0x0',
    ]);
    expect(await client.values(to)).toEqual([42, '0x', '0x', 42]);
    const own = await client.statuses(N4, { to, data: setTo(55), privacyFlag: 1, parties: [N1] });
    expect(own).toEqual(ALL_SUCCEEDED);
    expect(await client.values(to)).toEqual([55, '0x', '0x', 55]);
  });

  it('refuse them at a node without them, and at one whose manager has them switched off (P-48)', async () => {
    const send = async (index: number) =>
      (await client.send(index, { data: CREATION, privacyFlag: 1, parties: [N1] })).error?.message;
    expect(await send(N2)).toBe('403 status: Enhanced Privacy is not enabled');
    expect(await send(N3)).toBe(
      'PrivacyEnhancements are disabled. Can only accept transactions with PrivacyFlag=0(StandardPrivate).',
    );
  });

  it('refuse them for a recipient whose manager is too old, and send it payloads without (P-48)', async () => {
    const send = (privacyFlag: number) =>
      client.send(N1, { data: CREATION, privacyFlag, privateFor: [older.key] });
    expect((await send(1)).error?.message).toBe(
      `403 status: Transactions with enhanced privacy is not currently supported on recipient ${older.key}`,
    );
    const { result: hash } = await send(0);
    await Promise.all(network.nodes.map((node) => node.mined(String(hash))));
    const [inner] = await client.ask<TransactionView>('eth_getPrivateTransactionByHash', hash);
    const payload = Buffer.from(inner?.input.slice(2) ?? '', 'hex');
    const { plaintext } = await older.manager.manager.receive(payload);
    expect(hexFromBytes(plaintext)).toBe(CREATION);
  });
});
