import type { Metrics } from '@tetrad/types';
import type { SigningAccounts } from './sign-transaction.js';

/** Seconds, from a signature in the process to one that waits for a thread. */
const BUCKETS = [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025, 0.1, 1];

/**
 * The accounts, with how long they sign and how often one is asked for that is not there.
 *
 * Source: the names are web3signer's (docs/spec/signing-proxy.md#health-metrics-reloading), which dashboards of its users show
 */
export function measuredAccounts(accounts: SigningAccounts, metrics: Metrics): SigningAccounts {
  const seconds = metrics.histogram(
    'signing_secp256k1_signing_duration',
    'Seconds that a signature takes',
    [],
    BUCKETS,
  );
  const missing = metrics.counter(
    'signing_secp256k1_missing_identifier_count_total',
    'Signatures asked for with a key that is not held',
  );
  return {
    list: () => accounts.list(),
    whenDecided: (account) => accounts.whenDecided?.(account),
    has(account) {
      const isHeld = accounts.has(account);
      if (!isHeld) missing.increment();
      return isHeld;
    },
    async sign(account, digest) {
      const start = performance.now();
      const signature = await accounts.sign(account, digest);
      seconds.observe((performance.now() - start) / 1_000);
      return signature;
    },
  };
}
