import { serveValidators } from '@tetrad/node-consensus-bft-chain';
import { ServedState } from '@tetrad/node-ledger';
import type { StatePort } from '@tetrad/node-peer';
import type { OpenChain } from '../open/open-chain.js';

/** The public state and the headers, as peers without a state read them. */
export function statePort({ store, engine }: Pick<OpenChain, 'store' | 'engine'>): StatePort {
  const served = new ServedState(store);
  return {
    headers: (question) => served.headers(question),
    ranges: (question) => served.ranges(question),
    contents: (question) => served.contents(question),
    validators: async ({ number }) =>
      engine.kind === 'bft' ? serveValidators(engine, store, number) : undefined,
  };
}
