import { chainProblem, type DownstreamClient } from '@tetrad/signer-downstream';
import type { NonceManager } from '@tetrad/signer-nonces';
import type { SignerStore } from '@tetrad/signer-store';
import type { Metrics } from '@tetrad/types';

/** Shows nonces that are not settled, and sends that wait for one. */
export function measureNonces(
  { store, nonceManager }: { readonly store: SignerStore; readonly nonceManager: NonceManager },
  metrics: Metrics,
): void {
  const states = ['state'];
  const counts = metrics.gauge(
    'signer_nonces',
    'Assigned nonces that are not settled, by state; the same on all replicas',
    states,
  );
  const ages = metrics.gauge(
    'signer_nonce_oldest_seconds',
    'Time since the state of the oldest of them changed; 0 without one',
    states,
  );
  const waiting = metrics.gauge(
    'signer_nonce_waiting_sends',
    'Transactions on this replica that wait for a nonce',
  );
  metrics.onScrape(async () => {
    waiting.set(nonceManager.waitingSends);
    for (const { state, count, oldestSeconds } of await store.countNonces()) {
      counts.set(count, { state });
      ages.set(oldestSeconds, { state });
    }
  });
}

/** Asks the Ethereum client for its chain at each scrape, as a signer without traffic sends it nothing else. */
export function measureChain(
  { downstream, chainId }: { readonly downstream: DownstreamClient; readonly chainId: bigint },
  metrics: Metrics,
): void {
  const isOther = metrics.gauge(
    'signer_downstream_other_chain',
    '1 while the Ethereum client is on another chain than --chain-id says, otherwise 0',
  );
  metrics.onScrape(async () => {
    isOther.set((await chainProblem(downstream, chainId)) === undefined ? 0 : 1);
  });
}
