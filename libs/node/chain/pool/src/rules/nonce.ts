import { RequestError } from '@tetrad/types';
import type { SenderRule } from './pool-rule.js';

/** Its nonce is not used up. */
export const nonce: SenderRule = {
  name: 'nonce',
  check({ entry, account }) {
    const next = account?.nonce ?? 0n;
    const given = entry.transaction.nonce;
    if (given >= next) return;
    throw new RequestError('NONCE_TOO_LOW', `nonce too low: next nonce ${next}, tx nonce ${given}`);
  },
};
