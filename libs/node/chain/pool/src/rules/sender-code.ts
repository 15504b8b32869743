import { EMPTY_KECCAK } from '@tetrad/crypto';
import { RequestError } from '@tetrad/types';
import type { SenderRule } from './pool-rule.js';

/** Its sender is not a contract (EIP-3607). */
export const senderCode: SenderRule = {
  name: 'sender code',
  check({ account }) {
    if (account !== undefined && account.codeHash !== EMPTY_KECCAK) {
      throw new RequestError('SENDER_NOT_EOA', 'sender not an eoa');
    }
  },
};
