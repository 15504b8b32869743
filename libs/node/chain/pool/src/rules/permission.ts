import { RequestError } from '@tetrad/types';
import type { MayTransact } from '@tetrad/node-execution';
import type { StateRule } from './pool-rule.js';

/** Its sender may transact, by the same hook that blocks are built and verified with. */
export function permission(mayTransact: MayTransact): StateRule {
  return {
    name: 'permission',
    async check(transaction, { block }, world) {
      const refused = await mayTransact(transaction, { block, world });
      if (refused !== undefined) throw new RequestError(refused.reason, refused.message, refused.data);
    },
  };
}
