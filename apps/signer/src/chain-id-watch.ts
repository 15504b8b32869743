import type { DownstreamClient } from '@tetrad/signer-downstream';
import type { Clock, Logger } from '@tetrad/types';

/** Time between two questions to a client that does not answer. */
const AGAIN_MS = 10_000;

/** What the Ethereum client says of its chain. Fails: as `ClientSession.quantity` */
export function clientChainId(downstream: DownstreamClient): Promise<bigint> {
  return downstream.onBehalfOf().quantity('eth_chainId', []);
}

/**
 * Asks the client for its chain until it answers, and says in the log when it is another one than transactions are
 * signed for: the client refuses every one of them, in words that need not say why.
 *
 * Out: how to stop asking
 */
export function watchChainId(
  expected: bigint,
  {
    downstream,
    clock,
    logger,
  }: { readonly downstream: DownstreamClient; readonly clock: Clock; readonly logger: Logger },
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
