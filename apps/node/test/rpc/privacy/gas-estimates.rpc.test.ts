import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { PrivateClient, creationOf, setTo } from './private-contracts.js';

const CREATION = creationOf('SimpleStorage', 42);
/** Without value, so that the word that is set is the first one. */
const EMPTY = creationOf('SimpleStorage', 0);

let network: PrivacyNetwork;
let node: RunningNode;
let client: PrivateClient;
beforeAll(async () => {
  network = await startPrivacyNetwork({ keys: RECORDED_KEYS.slice(0, 2), accounts: recordedAccounts(2) });
  node = network.nodes[0] as RunningNode;
  client = new PrivateClient(network);
});
afterAll(() => network?.stop());

/** With a value of 0 it might become private, and has to pay for a payload hash. */
const estimate = async (request: object) =>
  Number(
    await node.result<string>('eth_estimateGas', [{ from: node.accounts[0], value: '0x0', ...request }]),
  );

/** The reference states its numbers with a tolerance of 10 %. */
function expectAbout(gas: number, stated: number): void {
  expect(gas).toBeGreaterThanOrEqual(stated * 0.9);
  expect(gas).toBeLessThanOrEqual(stated * 1.1);
}

describe('eth_estimateGas', () => {
  it('of a transfer, and of a public creation and call (P-19)', async () => {
    expect(await estimate({ to: client.account(1), value: '0x1' })).toBe(21_000);
    expectAbout(await estimate({ data: CREATION }), 105_921);
    const [receipt] = await client.mine(0, { data: EMPTY });
    expectAbout(await estimate({ to: receipt?.contractAddress, data: setTo(99) }), 45_261);
  });

  it('of a private creation and call (P-20)', async () => {
    const privateFor = [client.key(1)];
    expectAbout(await estimate({ data: CREATION, privateFor }), 105_921);
    const [receipt] = await client.mine(0, { data: EMPTY, parties: [1] });
    expectAbout(await estimate({ to: receipt?.contractAddress, data: setTo(99), privateFor }), 45_261);
  });

  it('has room for the hash of a payload when recipients are named, also without a value', async () => {
    const request = { from: client.account(0), to: client.account(1), data: '0x' };
    const ask = async (more: object) =>
      Number(await node.result<string>('eth_estimateGas', [{ ...request, ...more }]));
    expect(await ask({})).toBe(21_000);
    expect(await ask({ privateFor: [client.key(1)] })).toBe(21_000 + 64 * 16);
    expect(await ask({ privateFor: [client.key(1)], value: '0x1' })).toBe(21_000);
    const wrong = await node.call('eth_estimateGas', [{ ...request, privateFor: ['no key'] }]);
    expect(wrong.error).toMatchObject({ code: -32602 });
  });

  it.each([
    ['a word that was empty', EMPTY],
    ['another word', CREATION],
  ])('is enough for a private transaction that sets %s (P-20)', async (_, data) => {
    const [receipt] = await client.mine(0, { data, parties: [1] });
    const to = receipt?.contractAddress ?? '';
    const estimated = await estimate({ to, data: setTo(99), privateFor: [client.key(1)] });
    const gas = `0x${estimated.toString(16)}`;
    expect(await client.statuses(0, { to, data: setTo(99), gas, parties: [1] })).toEqual(['0x1', '0x1']);
    expect(await client.values(to)).toEqual([99, 99]);
  });
});
