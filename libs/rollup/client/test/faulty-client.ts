import type { EthereumClient } from '@tetrad/rollup-chain';
import type { VirtualChain } from './virtual-chain.js';

const METHODS = [
  'call',
  'chainId',
  'gasPrice',
  'head',
  'nonce',
  'receipt',
  'sendRaw',
  'transaction',
] as readonly (keyof VirtualChain)[];

/**
 * The client of a chain in memory, whose calls may fail before they have an effect or after it.
 *
 * @param chain - what it is a client of
 * @param fault - called before and after each call; what it throws is thrown to the caller
 * @returns a client
 */
export function faultyClient(
  chain: VirtualChain,
  fault: (when: 'before' | 'after', method: string) => void,
): EthereumClient {
  const calls = METHODS.map((method) => {
    const ask = chain[method] as (...values: unknown[]) => Promise<unknown>;
    const call = async (...values: unknown[]) => {
      fault('before', method);
      const answer = await ask(...values);
      fault('after', method);
      return answer;
    };
    return [method, call] as const;
  });
  return Object.fromEntries(calls) as unknown as EthereumClient;
}
