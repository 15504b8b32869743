import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ACCOUNT,
  HAS_ANVIL,
  startAnvil,
  startSigner,
  type Anvil,
  type RunningSigner,
} from '../../running-signer.js';

const RECIPIENT = `0x${'ab'.repeat(20)}`;
const HASH = /^0x[0-9a-f]{64}$/;

(HAS_ANVIL ? describe : describe.skip)('eth_sendTransaction in front of anvil', () => {
  let anvil: Anvil;
  let signer: RunningSigner;
  beforeAll(async () => {
    anvil = await startAnvil();
    signer = await startSigner(anvil.port);
  }, 60_000);
  afterAll(async () => {
    await signer.stop();
    await anvil.kill();
  });

  const sent = async (transaction: Record<string, unknown>) => {
    const { result, error } = await signer.call('eth_sendTransaction', [{ from: ACCOUNT, ...transaction }]);
    expect(error).toBeUndefined();
    expect(result).toMatch(HASH);
    return (await anvil.call('eth_getTransactionByHash', [result])) as Record<string, string>;
  };

  it('signs with the defaults of the interface document and the next nonce', async () => {
    const nonce = (await anvil.call('eth_getTransactionCount', [ACCOUNT, 'pending'])) as string;
    expect(await sent({ to: RECIPIENT, value: '0x1' })).toMatchObject({
      from: ACCOUNT,
      to: RECIPIENT,
      gas: '0x15f90',
      gasPrice: '0x0',
      nonce,
      type: '0x0',
    });
  });

  it('signs every type, creations, and the parameters without their array', async () => {
    expect(await sent({ to: RECIPIENT, accessList: [] })).toMatchObject({ type: '0x1' });
    expect(await sent({ to: RECIPIENT, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' })).toMatchObject({
      type: '0x2',
    });
    expect(await sent({ data: '0x600160008160008239f3' })).toMatchObject({
      to: null,
      input: '0x600160008160008239f3',
    });
    const { result } = await signer.call('eth_sendTransaction', { from: ACCOUNT, to: RECIPIENT });
    expect(result).toMatch(HASH);
  });

  it('gives a hundred sends at the same time consecutive nonces', async () => {
    const before = Number(await anvil.call('eth_getTransactionCount', [ACCOUNT, 'pending']));
    const all = await Promise.all(Array.from({ length: 100 }, () => sent({ to: RECIPIENT, value: '0x1' })));
    const nonces = all.map(({ nonce }) => Number(nonce)).sort((a, b) => a - b);
    expect(nonces).toEqual(Array.from({ length: 100 }, (_, index) => before + index));
  });

  it('hands on what the client refuses, as it came, and gives the nonce again', async () => {
    const before = Number(await anvil.call('eth_getTransactionCount', [ACCOUNT, 'pending']));
    const refused = await signer.call('eth_sendTransaction', [{ from: ACCOUNT, to: RECIPIENT, gas: '0x1' }]);
    expect(refused.error?.message).toMatch(/intrinsic gas/i);
    expect(Number((await sent({ to: RECIPIENT }))['nonce'])).toBe(before);
  });

  it.each([
    [
      'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
      'No unlocked account matches the Sender',
      { from: RECIPIENT, to: RECIPIENT },
    ],
    ['CHAIN_ID_MISMATCH', 'Wrong chainId', { to: RECIPIENT, chainId: '0x5' }],
  ])('refuses with %s', async (reason, text, transaction) => {
    const { error } = await signer.call('eth_sendTransaction', [{ from: ACCOUNT, ...transaction }]);
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining(text), data: { reason } });
  });

  it.each([
    ['transaction.to', { to: '0x12' }],
    ['transaction.data', { to: RECIPIENT, data: '0x01', input: '0x02' }],
    ['transaction.privateFor', { to: RECIPIENT, privateFor: ['x'] }],
    ['transaction.blobVersionedHashes', { to: RECIPIENT, blobVersionedHashes: ['0x01'] }],
    ['transaction.from', { from: '' }],
  ])('names the bad field %s', async (field, transaction) => {
    const { error } = await signer.call('eth_sendTransaction', [{ from: ACCOUNT, ...transaction }]);
    expect(error).toMatchObject({ code: -32602, data: { field } });
  });

  it('passes everything else through, batches mixed, in order and without loss', async () => {
    const batch = [
      '{"jsonrpc":"2.0","id":"a","method":"eth_accounts"}',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"eth_chainId"}',
      '{"jsonrpc":"2.0","id":3,"method":"no_such_method"}',
    ];
    const { text } = await signer.post(`[${batch.join(',')}]`);
    expect(text).toContain('"id":9007199254740993');
    const [accounts, chainId, missing] = JSON.parse(text) as Record<string, unknown>[];
    expect(accounts).toMatchObject({ id: 'a', result: [ACCOUNT] });
    expect(chainId).toMatchObject({ result: '0x539' });
    expect(missing).toMatchObject({ id: 3, error: { code: -32601 } });
    expect(await signer.post('{"jsonrpc":"2.0","method":"eth_chainId"}')).toMatchObject({ status: 204 });
  });

  it.each(['eth_sign', 'eea_sendTransaction', 'eth_signTransaction'])(
    'does not pass %s through to a client that might sign it with a key of its own',
    async (method) => {
      expect((await signer.call(method, [])).error?.code).toBe(-32601);
    },
  );
});

describe('eth_sendTransaction without a usable client', () => {
  let server: Server | undefined;
  let signer: RunningSigner | undefined;
  afterEach(async () => {
    await signer?.stop();
    server?.closeAllConnections();
    server?.close();
  });

  async function sendTo(listener: RequestListener | undefined): Promise<unknown> {
    let port = 9;
    if (listener !== undefined) {
      const listening = createServer(listener);
      server = listening;
      await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
      port = (listening.address() as AddressInfo).port;
    }
    signer = await startSigner(port, ['--downstream-http-request-timeout', '300']);
    return (await signer.call('eth_sendTransaction', [{ from: ACCOUNT, to: RECIPIENT }])).error;
  }

  const failed = (reason: string, text: string) => ({
    code: -32000,
    message: expect.stringContaining(text),
    data: { reason },
  });

  it('says that it cannot connect', async () => {
    expect(await sendTo(undefined)).toMatchObject(
      failed('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', 'Failed to connect to downstream node'),
    );
  });

  it('says that there was no answer in time', async () => {
    expect(await sendTo(() => undefined)).toMatchObject(
      failed('CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', 'Connection to downstream node timed out'),
    );
  });

  it.each([
    ['HTML', '<html>busy</html>'],
    ['another JSON', '{"hello":1}'],
    ['nothing', ''],
  ])('says that %s is no answer', async (_kind, body) => {
    const error = await sendTo((_request, response) => response.end(body));
    expect(error).toMatchObject({ message: expect.stringMatching(/downstream|internal/) });
  });

  it('says that a connection closed in the middle is no answer', async () => {
    const error = await sendTo((request) => request.socket.destroy());
    expect(error).toMatchObject(failed('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', 'Failed to connect'));
  });
});
