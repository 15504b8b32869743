import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ACCOUNT,
  HAS_ANVIL,
  startAnvil,
  startSigner,
  type Anvil,
  type RunningSigner,
} from '../running-signer.js';

const RECIPIENT = `0x${'ab'.repeat(20)}`;

(HAS_ANVIL ? describe : describe.skip)('the signer in front of anvil', () => {
  let anvil: Anvil;
  let signer: RunningSigner;
  beforeAll(async () => {
    anvil = await startAnvil();
    signer = await startSigner({ downstreamPort: anvil.port });
  }, 90_000);
  afterAll(async () => {
    await signer.stop();
    await anvil.stop();
  });

  const count = async () => Number(await anvil.call('eth_getTransactionCount', [ACCOUNT, 'pending']));
  const sent = async (transaction: Record<string, unknown>) => {
    const { result, error } = await signer.call('eth_sendTransaction', [{ from: ACCOUNT, ...transaction }]);
    expect(error).toBeUndefined();
    return (await anvil.call('eth_getTransactionByHash', [result])) as Record<string, string>;
  };

  it('signs with the defaults of the interface document and the next nonce', async () => {
    const nonce = await count();
    expect(await sent({ to: RECIPIENT, value: '0x1' })).toMatchObject({
      from: ACCOUNT,
      to: RECIPIENT,
      gas: '0x15f90',
      gasPrice: '0x0',
      nonce: `0x${nonce.toString(16)}`,
      type: '0x0',
    });
  });

  it('signs every type, and creations', async () => {
    expect(await sent({ to: RECIPIENT, accessList: [] })).toMatchObject({ type: '0x1' });
    const fees = { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
    expect(await sent({ to: RECIPIENT, ...fees })).toMatchObject({ type: '0x2' });
    const creation = { data: '0x600160008160008239f3' };
    expect(await sent(creation)).toMatchObject({ to: null, input: creation.data });
  });

  it('gives a hundred sends at the same time consecutive nonces', async () => {
    const before = await count();
    const all = await Promise.all(Array.from({ length: 100 }, () => sent({ to: RECIPIENT, value: '0x1' })));
    const nonces = all.map(({ nonce }) => Number(nonce)).sort((a, b) => a - b);
    expect(nonces).toEqual(Array.from({ length: 100 }, (_, index) => before + index));
  });

  // SP-17, SP-18
  it('moves exactly what it is told to, and nothing that is not there', async () => {
    const balance = async () => BigInt((await anvil.call('eth_getBalance', [RECIPIENT, 'latest'])) as string);
    const before = await balance();
    await sent({ to: RECIPIENT, value: '0x64' });
    expect((await balance()) - before).toBe(100n);
    const { error } = await signer.call('eth_sendTransaction', [
      { from: ACCOUNT, to: RECIPIENT, value: `0x${(10n ** 30n).toString(16)}` },
    ]);
    expect(error?.message).toMatch(/insufficient funds/i);
    expect((await balance()) - before).toBe(100n);
  });

  it('hands on what the client refuses, as it came, and uses the nonce for the next', async () => {
    const before = await count();
    const { error } = await signer.call('eth_sendTransaction', [
      { from: ACCOUNT, to: RECIPIENT, gas: '0x1' },
    ]);
    expect(error?.message).toMatch(/intrinsic gas/i);
    expect(Number((await sent({ to: RECIPIENT }))['nonce'])).toBe(before);
  });

  // SP-56
  it('sends fifty in a row with nonces of their own', async () => {
    const before = await count();
    for (let index = 0; index < 50; index++)
      await sent({ to: RECIPIENT, value: '0x1', nonce: before + index });
    expect(await count()).toBe(before + 50);
  });

  it('passes everything else through, in batches too', async () => {
    const batch = [
      '{"jsonrpc":"2.0","id":"a","method":"eth_accounts"}',
      '{"jsonrpc":"2.0","id":2,"method":"eth_chainId","params":[]}',
      '{"jsonrpc":"2.0","id":3,"method":"no_such_method","params":[]}',
    ];
    const { text } = await signer.post(`[${batch.join(',')}]`);
    expect(JSON.parse(text)).toMatchObject([
      { id: 'a', result: [ACCOUNT] },
      { id: 2, result: '0x539' },
      { id: 3, error: { code: -32601 } },
    ]);
  });
});
