import type { Clock, Logger } from '@tetrad/types';
import type { ClientSession } from './client-session.js';

/** The Ethereum client, asked on the signer's own behalf. */
export interface ChainAnswerer {
  onBehalfOf(): Pick<ClientSession, 'quantity'>;
}

/** Time between two questions to a client that does not answer. */
const AGAIN_MS = 10_000;

/**
 * What the Ethereum client says of its chain.
 * @throws as `ClientSession.quantity`
 */
export function clientChainId(downstream: ChainAnswerer): Promise<bigint> {
  return downstream.onBehalfOf().quantity('eth_chainId', []);
}

/**
 * Queries the client's chain id until it answers, and logs when transactions are signed for another chain: the client
 * refuses all of them, with an error that need not name the reason.
 * @returns a function that stops the queries
 */
export function watchChainId(
  expected: bigint,
  {
    downstream,
    clock,
    logger,
  }: {
    readonly downstream: ChainAnswerer;
    readonly clock: Pick<Clock, 'schedule'>;
    readonly logger: Pick<Logger, 'warn'>;
  },
): () => void {
  let isStopped = false;
  let cancel: (() => void) | undefined;
  const ask = () => {
    clientChainId(downstream).then(
      (actual) => {
        if (actual === expected || isStopped) return;
        const values = { chainId: expected.toString(), clientChainId: actual.toString() };
        logger.warn('the Ethereum client is on another chain than --chain-id says', values);
      },
      () => {
        if (!isStopped) cancel = clock.schedule(AGAIN_MS, ask);
      },
    );
  };
  ask();
  return () => {
    isStopped = true;
    cancel?.();
  };
}

/**
 * Why the client is not ready to be submitted to; undefined when it is on the expected chain.
 * @throws as `clientChainId`
 */
export async function chainProblem(downstream: ChainAnswerer, expected: bigint): Promise<string | undefined> {
  const actual = await clientChainId(downstream);
  return actual === expected ? undefined : `it has chain id ${actual}, --chain-id is ${expected}`;
}
