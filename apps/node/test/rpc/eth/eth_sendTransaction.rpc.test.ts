import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

const RECIPIENT = `0x${'ab'.repeat(20)}`;
const HASH = /^0x[0-9a-f]{64}$/;

let node: RunningNode;
let from: string;
beforeAll(async () => {
  node = await startNode(['--pool-max-transaction-bytes', '262144']);
  [from] = node.accounts as readonly [Address];
});
afterAll(() => node.stop());

const send = (transaction: Record<string, unknown>) => node.call('eth_sendTransaction', [transaction]);

describe('eth_sendTransaction', () => {
  it('signs, submits and mines a transfer, and fills in missing members', async () => {
    const hash = await node.result<string>('eth_sendTransaction', [{ from, to: RECIPIENT, value: '0x5' }]);
    expect(hash).toMatch(HASH);
    expect(await node.mined(hash)).toMatchObject({
      status: '0x1',
      from,
      to: RECIPIENT,
      gasUsed: '0x5208',
      type: '0x0',
    });
    expect(await node.result('eth_getBalance', [RECIPIENT, 'latest'])).toBe('0x5');
  });

  it('assigns consecutive nonces to concurrent sends', async () => {
    const before = Number(await node.result('eth_getTransactionCount', [from, 'pending']));
    const hashes = await Promise.all(
      Array.from({ length: 20 }, () =>
        node.result<string>('eth_sendTransaction', [{ from, to: RECIPIENT, value: '0x1' }]),
      ),
    );
    await Promise.all(hashes.map((hash) => node.mined(hash)));
    const nonces = await Promise.all(
      hashes.map(async (hash) =>
        Number((await node.result<{ nonce: string }>('eth_getTransactionByHash', [hash])).nonce),
      ),
    );
    expect(nonces.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => before + index));
  });

  it('uses the first account without a sender, takes integers, and every type', async () => {
    const plain = await node.result<string>('eth_sendTransaction', [{ to: RECIPIENT, value: 1, gas: 30000 }]);
    expect(await node.mined(plain)).toMatchObject({ from });
    const dynamic = { from, to: RECIPIENT, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
    expect(await node.mined(await node.result('eth_sendTransaction', [dynamic]))).toMatchObject({
      type: '0x2',
    });
    const listed = { from, to: RECIPIENT, accessList: [{ address: RECIPIENT, storageKeys: [] }] };
    expect(await node.mined(await node.result('eth_sendTransaction', [listed]))).toMatchObject({
      type: '0x1',
    });
  });

  it('creates a contract', async () => {
    // Init code that returns a single STOP.
    const receipt = await node.mined(
      await node.result('eth_sendTransaction', [{ from, data: '0x600160008160008239f3' }]),
    );
    expect(receipt.contractAddress).toMatch(/^0x[0-9a-f]{40}$/);
    expect(receipt).toMatchObject({ status: '0x1', to: null });
  });

  it('creates a contract larger, and with more gas, than Ethereum allows', async () => {
    // Init code that returns 40,000 zero bytes; EIP-170 has 24,576, and EIP-7825 16,777,216 gas.
    const creation = { from, data: '0x619c405ff3', gas: '0x1400000' };
    const receipt = await node.mined(await node.result('eth_sendTransaction', [creation]));
    expect(receipt).toMatchObject({ status: '0x1' });
    const code = await node.result<string>('eth_getCode', [receipt.contractAddress, 'latest']);
    expect(code).toHaveLength(2 + 2 * 40_000);
  });

  it('replaces a waiting transaction at a higher gas price, and only then', async () => {
    const sender = node.accounts[1] as string;
    const nonce = Number(await node.result('eth_getTransactionCount', [sender, 'pending'])) + 1;
    const waiting = { from: sender, to: RECIPIENT, gas: '0x5208', nonce: `0x${nonce.toString(16)}` };
    const first = await node.result<string>('eth_sendTransaction', [waiting]);
    expect(reasonOf(await send(waiting))).toBe('ALREADY_KNOWN');
    expect(reasonOf(await send({ ...waiting, value: '0x1' }))).toBe('REPLACEMENT_UNDERPRICED');
    const second = await node.result<string>('eth_sendTransaction', [{ ...waiting, gasPrice: '0x1' }]);
    expect(await node.result('eth_getTransactionByHash', [first])).toBeNull();
    await node.result('eth_sendTransaction', [
      { from: sender, to: RECIPIENT, gas: '0x5208', nonce: `0x${(nonce - 1).toString(16)}` },
    ]);
    expect(await node.mined(second)).toMatchObject({ status: '0x1' });
  });

  it.each([
    ['UNKNOWN_ACCOUNT', 'unknown account', { from: RECIPIENT, to: RECIPIENT }],
    ['NONCE_TOO_LOW', 'nonce too low', { to: RECIPIENT, gas: '0x5208', nonce: '0x0' }],
    [
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value',
      { to: RECIPIENT, gas: '0x5208', value: `0x${'f'.repeat(30)}` },
    ],
    ['INTRINSIC_GAS_TOO_LOW', 'intrinsic gas too low', { to: RECIPIENT, gas: '0x5207' }],
    ['GAS_LIMIT_EXCEEDED', 'exceeds block gas limit', { to: RECIPIENT, gas: '0x1dcd6500' }],
    ['EMPTY_CONTRACT_CREATION', 'contract creation without any data provided', {}],
    ['INVALID_CHAIN_ID', 'chainId does not match', { to: RECIPIENT, chainId: '0x1' }],
    [
      'TIP_ABOVE_FEE_CAP',
      'maxPriorityFeePerGas',
      { to: RECIPIENT, gas: '0x5208', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
    ],
    [
      'INIT_CODE_TOO_LARGE',
      'max initcode size exceeded',
      { data: `0x${'00'.repeat(131_073)}`, gas: '0xf42400' },
    ],
    [
      'PRIVACY_NOT_AVAILABLE',
      'private transactions are not enabled',
      { to: RECIPIENT, privateFor: ['QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc='] },
    ],
    ['PRIVACY_NOT_AVAILABLE', 'private transactions are not enabled', { to: RECIPIENT, privateFor: [] }],
  ])('refuses with %s: %s', async (reason, text, transaction) => {
    const answer = await send({ from, ...transaction });
    expect(reasonOf(answer)).toBe(reason);
    expect(answer.error?.message).toContain(text);
    expect(answer.error?.code).toBe(-32000);
  });

  it('refuses to choose a sender when the node holds no account', async () => {
    const empty = await startNode([], { accounts: 0 });
    try {
      const answer = await empty.call('eth_sendTransaction', [{ to: RECIPIENT, gas: '0x5208' }]);
      expect(reasonOf(answer)).toBe('NO_DEFAULT_ACCOUNT');
      expect(answer.error?.message).toBe('this node holds no account to send from');
    } finally {
      await empty.stop();
    }
  });

  it.each([
    ['transaction.data', { to: RECIPIENT, data: '0x01', input: '0x02' }],
    ['transaction.to', { to: '0x12' }],
    ['transaction.value', { to: RECIPIENT, value: '0xzz' }],
    ['transaction.privateFr', { to: RECIPIENT, privateFr: ['x'] }],
  ])('names the bad field %s', async (field, transaction) => {
    const { error } = await send({ from, ...transaction });
    expect(error).toMatchObject({ code: -32602, data: { field } });
  });
});
