import { describe, expect, it } from '@jest/globals';
import { ChainRpcError, ChainUnavailableError, EthereumClient } from '@tetrad/rollup-chain';
import { parseAddress } from '@tetrad/types';
import { askingOf } from './asking-client.js';

const call = { to: parseAddress(`0x${'01'.repeat(20)}`), data: Uint8Array.of(1, 2, 3, 4) };
const clientOf = (request: (one: { method: string; params: readonly unknown[] }) => Promise<unknown>) =>
  new EthereumClient(askingOf({ request }));
const failing = (error: unknown) => clientOf(() => Promise.reject(error));
const withCause = (cause: unknown, fields: object = {}) =>
  Object.assign(new Error('outer', { cause }), fields);

describe('a client of a chain that is asked through another library', () => {
  it('asks by method and parameters as JSON has them, and reads the answer', async () => {
    const asked: unknown[] = [];
    const client = clientOf(async (one) => {
      asked.push(one);
      return '0x0a';
    });
    expect(await client.call(call, 7)).toEqual(Uint8Array.of(10));
    expect(asked).toEqual([{ method: 'eth_call', params: [{ to: call.to, data: '0x01020304' }, '0x7'] }]);
  });

  it('finds what the node said within the errors of the library', async () => {
    const said = Object.assign(new Error('RPC Request failed.'), {
      code: 3,
      details: 'reverted',
      data: '0xab',
    });
    const error = (await failing(withCause(withCause(said, { code: -32603 }), { name: 'Outer' }))
      .call(call)
      .catch((one: unknown) => one)) as ChainRpcError;
    expect(error).toBeInstanceOf(ChainRpcError);
    expect([error.code, error.message, error.data]).toEqual([3, 'reverted', Uint8Array.of(0xab)]);
  });

  it.each([
    ['a connection that fails', withCause(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))],
    ['what is no error', 'no'],
    ['nothing', undefined],
  ])('does not take %s for an answer of the node', async (_, error) => {
    await expect(failing(error).chainId()).rejects.toThrow(ChainUnavailableError);
  });

  it('ends with errors that cause each other', async () => {
    const first = new Error('first');
    first.cause = withCause(first);
    await expect(failing(first).chainId()).rejects.toThrow(ChainUnavailableError);
  });

  it('refuses an answer that is not of the method', async () => {
    await expect(clientOf(async () => 'many').blockNumber()).rejects.toThrow(ChainUnavailableError);
  });
});
