import { RequestError } from '@tetrad/types';
import type { SenderRule } from './pool-rule.js';

/** It replaces another one with its nonce only at a higher price. */
export const replacement: SenderRule = {
  name: 'replacement',
  check({ entry, queue }) {
    const replaced = queue?.at(entry.transaction.nonce);
    if (replaced !== undefined && entry.price <= replaced.price) {
      throw new RequestError('REPLACEMENT_UNDERPRICED', 'replacement transaction underpriced');
    }
  },
};
