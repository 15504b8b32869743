import { afterAll, beforeAll } from '@jest/globals';
import { validateExecutionApiResult } from '../../../libs/api/node/test/execution-api/validate-result.js';
import { startTokenChain, type TokenChain } from './token-chain.js';

/** A token chain whose node is asked for standard methods. */
export interface StandardChain extends TokenChain {
  /** Calls the method, holds the answer against the public shape, and gives it. */
  check<T = unknown>(method: string, ...params: unknown[]): Promise<T>;
}

/** A hash of nothing. */
export const MISSING = `0x${'77'.repeat(32)}`;

async function startStandardChain(): Promise<StandardChain> {
  const chain = await startTokenChain();
  return {
    ...chain,
    async check<T>(method: string, ...params: unknown[]) {
      const result = await chain.node.result<T>(method, params);
      validateExecutionApiResult(method, result);
      return result;
    },
  };
}

/** Has the tests of a file ask one standard chain, from their start to their end. */
export function useStandardChain(take: (chain: StandardChain) => void): void {
  let chain: StandardChain | undefined;
  beforeAll(async () => {
    chain = await startStandardChain();
    take(chain);
  });
  afterAll(() => chain?.node.stop());
}
