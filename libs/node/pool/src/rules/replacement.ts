import { RequestError } from '@tetrad/types';
import type { SenderRule } from './pool-rule.js';

/** It takes the place of another with its nonce at a higher price only. */
export const replacement: SenderRule = {
  name: 'replacement',
  check({ entry, queue }) {
    const replaced = queue?.at(entry.transaction.nonce);
    if (replaced !== undefined && entry.price <= replaced.price) {
      throw new RequestError('REPLACEMENT_UNDERPRICED', 'replacement transaction underpriced');
    }
  },
};
