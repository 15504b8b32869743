import { describe, expect, it } from '@jest/globals';
import { SOME_HASH, errorOf, obliging } from '../../fake-node.js';
import { useFakeNode } from '../../fake-setup.js';
import { BASE, without } from '../../reference-keys.js';
import { type RpcAnswer } from '../../running-signer.js';

const fake = useFakeNode();

const TRANSFER = without(BASE, 'nonce');

async function send(key: string, transaction: object = TRANSFER): Promise<RpcAnswer> {
  const body = JSON.stringify({ id: 1, method: 'eth_sendTransaction', params: [transaction] });
  return JSON.parse((await fake.signer.post(body, { 'Idempotency-Key': key })).text) as RpcAnswer;
}

describe('an idempotency key', () => {
  it('gives a request that is made again the first answer, and sends nothing', async () => {
    expect(await send('one')).toMatchObject({ result: SOME_HASH });
    fake.node.behave((request) => errorOf(request, -32000, 'never asked'));
    expect(await send('one')).toMatchObject({ id: 1, result: SOME_HASH });
    expect(fake.node.seen).toEqual([]);
  });

  it('lets requests at the same time be one', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('same')));
    expect(new Set(answers.map(({ result }) => result))).toEqual(new Set([SOME_HASH]));
    expect(fake.node.submitted()).toHaveLength(1);
  });

  it('is refused for another request', async () => {
    await send('two');
    expect(await send('two', { ...TRANSFER, value: '0x1' })).toMatchObject({
      error: { code: -32000, data: { reason: 'IDEMPOTENCY_KEY_REUSED' } },
    });
  });

  it('keeps an error of the client as well', async () => {
    fake.node.behave((request, response) =>
      request.rpc.method === 'eth_sendRawTransaction'
        ? errorOf(request, -32004, 'Upfront cost exceeds account balance')
        : obliging(request, response),
    );
    const refused = { error: { code: -32004, message: 'Upfront cost exceeds account balance' } };
    expect(await send('three')).toMatchObject(refused);
    fake.node.behave(obliging);
    expect(await send('three')).toMatchObject(refused);
    expect(fake.node.submitted()).toEqual([]);
  });
});
