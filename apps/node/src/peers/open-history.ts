import { isDatabaseUnavailable } from '@tetrad/db';
import { createTransactionDecoder } from '@tetrad/node-execution';
import type { PeerNetwork } from '@tetrad/node-peer';
import { HistoryFill } from '@tetrad/node-state-sync';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import type { NodeModule } from '../open/node-module.js';
import type { OpenChain } from '../open/open-chain.js';
import type { NodeConfig } from '../options/config.js';
import { lowestWanted } from '../options/history-option.js';

/** Recovers the senders of the past beside the main thread, which executes new blocks. */
const DECODER_THREADS = 1;

/** Starts to fill in transactions, receipts and logs of the past, on a node that joined by state and is to have them. */
export async function openHistory(
  { history }: Pick<NodeConfig, 'history'>,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
  { ledger, store, peers }: Pick<OpenChain, 'ledger' | 'store'> & { readonly peers: PeerNetwork },
): Promise<NodeModule<HistoryFill | undefined>> {
  const lowest = lowestWanted(history, ledger.blockHorizon.joined);
  if (lowest === undefined) return { parts: undefined, readiness: {}, close: () => Promise.resolve() };
  const { chainId } = ledger.genesis;
  const decoder = createTransactionDecoder({ chainId, workers: DECODER_THREADS, logger });
  const fill = HistoryFill.start({
    ledger,
    store,
    peers: peers.states,
    decode: (raw, hash) => decoder.decode(raw, hash),
    lowest,
    isDatabaseUnavailable,
    clock: systemClock,
    logger,
    metrics,
  });
  return {
    parts: fill,
    readiness: {},
    async close() {
      await fill.close();
      await decoder.close();
    },
  };
}
