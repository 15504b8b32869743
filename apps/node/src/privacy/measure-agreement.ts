import type { AgreementReader, ExchangeParts } from '@tetrad/node-agreement';
import type { AgreementStore } from '@tetrad/node-store';
import { systemClock, type Metrics } from '@tetrad/types';

/** Blocks of all parties by what is known of their agreement. */
export function measureAgreement(store: AgreementStore, metrics: Metrics, lag: () => number): void {
  const blocks = metrics.gauge(
    'node_agreement_blocks',
    'Blocks with results of private transactions on which this node and another party do not agree, or not yet',
    ['state'],
  );
  const pending = metrics.gauge(
    'node_agreement_oldest_pending_seconds',
    'Age of the oldest statement that another party whose manager carries messages has not answered',
  );
  const parties = metrics.gauge(
    'node_agreement_parties',
    'Pairs of manager keys that share private transactions, by whether messages reach the other one',
    ['messages'],
  );
  const behind = metrics.gauge(
    'node_agreement_lag_blocks',
    'Blocks that private state has followed, and whose results are not stated to other parties yet',
  );
  metrics.onScrape(async () => {
    behind.set(lag());
    const counts = await store.count();
    for (const state of ['pending', 'diverged', 'undisclosed'] as const) blocks.set(counts[state], { state });
    const { oldestPendingMs: oldest } = counts;
    pending.set(oldest === undefined ? 0 : Math.max(0, (systemClock.now() - oldest) / 1_000));
    parties.set(counts.pairs, { messages: 'yes' });
    parties.set(counts.pairsWithoutMessages, { messages: 'no' });
  });
}

/** Contracts that differ between parties and wait for a repair. */
export function measureUnrepaired(reader: AgreementReader, metrics: Metrics): void {
  const contracts = metrics.gauge(
    'node_agreement_unrepaired_contracts',
    'Private contracts of which another party has stated another state last, and that neither has repaired since',
  );
  metrics.onScrape(async () => contracts.set(await reader.countUnrepaired()));
}

/** Messages between the nodes of parties. */
export function exchangeCounters(metrics: Metrics): ExchangeParts['counters'] {
  return {
    heard: metrics.counter(
      'node_agreement_heard_total',
      'Messages of other parties about private results, by what became of them',
      ['result'],
    ),
    sent: metrics.counter(
      'node_agreement_sent_total',
      'Messages about private results that the transaction manager has taken for other parties',
      ['kind'],
    ),
  };
}
