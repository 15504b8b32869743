import { serveValidators } from '@tetrad/node-consensus-bft-chain';
import { decodeHeader } from '@tetrad/node-block';
import { ServedPast, ServedState } from '@tetrad/node-ledger';
import type { StatePort } from '@tetrad/node-peer';
import type { OpenChain } from '../open/open-chain.js';

/** The public state, the headers and what is in blocks, as peers without a state read them. */
export function statePort({
  store,
  ledger,
  engine,
}: Pick<OpenChain, 'store' | 'ledger' | 'engine'>): StatePort {
  const served = new ServedState(store);
  const past = new ServedPast(store, ledger.blockHorizon);
  return {
    headers: async (question) => {
      const headers = await served.headers(question);
      // Only a node that did not execute the past may have taken headers without their seals.
      if (question.from > (ledger.blockHorizon.joined ?? 0)) return headers;
      const bare = headers.findIndex((raw) => !ledger.rules.isSealed(decodeHeader(raw)));
      return bare < 0 ? headers : headers.slice(0, bare);
    },
    ranges: (question) => served.ranges(question),
    contents: (question) => served.contents(question),
    validators: async ({ number }) =>
      engine.kind === 'bft' ? serveValidators(engine, store, number) : undefined,
    history: (question) => past.history(question),
  };
}
