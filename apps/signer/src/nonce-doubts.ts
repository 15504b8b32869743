import type { DoubtReason, DoubtedSequence } from '@tetrad/signer-nonces';
import type { Metrics } from '@tetrad/types';

/** Accounts that are named; the others are counted. */
const NAMED = 3;

const TEXTS: Readonly<Record<DoubtReason, string>> = {
  jump: 'the client counts more transactions than the signer can explain',
  'set-back': 'the client counts fewer transactions than it had mined',
  'other-chain': 'the client is on another chain with the same chain id',
  'wrong-chain-id': 'the client has another chain id than --chain-id',
};

/** Accounts of which the client's transaction count is doubted, for `/readyz`. */
export function doubtReasons(doubted: readonly DoubtedSequence[]): string[] {
  const named = doubted.slice(0, NAMED).map(({ account, reason, isHeldBack, lowest }) => {
    const effect = isHeldBack ? 'its transactions are held back' : 'its transactions may wait to be mined';
    return `${account}: ${TEXTS[reason]} (${lowest}); ${effect}`;
  });
  const more = doubted.length - named.length;
  return more === 0 ? named : [...named, `and ${more} more accounts`];
}

/**
 * Counts doubted nonce sequences at each scrape.
 * @returns to be called for each sequence that was led back
 */
export function measureDoubts(doubted: () => readonly DoubtedSequence[], metrics: Metrics): () => void {
  const sequences = metrics.gauge(
    'signer_nonce_doubted_sequences',
    'Nonce sequences of which this replica doubts the transaction count of the client, by reason',
    ['reason'],
  );
  const ledBack = metrics.counter(
    'signer_nonce_led_back_total',
    'Nonce sequences that were led back, as the chain could not mine their transactions',
  );
  metrics.onScrape(() => {
    const present = doubted();
    for (const reason of Object.keys(TEXTS))
      sequences.set(present.filter((one) => one.reason === reason).length, { reason });
  });
  return () => ledBack.increment();
}
