import { RequestError } from '@tetrad/types';
import type { SenderRule } from './pool-rule.js';

/** Its sender can pay for it and for its other waiting transactions, except the one that it replaces. */
export const funds: SenderRule = {
  name: 'funds',
  check({ entry, account, queue }) {
    const balance = account?.balance ?? 0n;
    const others = (queue?.cost ?? 0n) - (queue?.at(entry.transaction.nonce)?.cost ?? 0n);
    const overshot = others + entry.cost - balance;
    if (overshot <= 0n) return;
    const queued = others === 0n ? '' : `queued cost ${others}, `;
    throw new RequestError(
      'INSUFFICIENT_FUNDS',
      `insufficient funds for gas * price + value: balance ${balance}, ${queued}tx cost ${entry.cost}, overshot ${overshot}`,
    );
  },
};
