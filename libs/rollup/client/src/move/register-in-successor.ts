import { OperatorError } from '@tetrad/types';
import { registerAccount } from '../account/rollup-account.js';
import { AccountFollower } from '../exit/account-follower.js';
import type { MoveOptions } from './move-options.js';
import type { MoveWaits } from './move-waits.js';

/**
 * Has the account of the keys made in the successor, and sees it there by the events of the contract and the keys: what its
 * operator says is not enough to send money there.
 *
 * @param options - of the move
 * @param waits - for the batch with it
 * @returns id of the account in the successor
 * @throws OperatorError when its operator refuses; as `AccountFollower.look` and `MoveWaits.until`
 */
export async function registerInSuccessor(options: MoveOptions, waits: MoveWaits): Promise<number> {
  const { successor, keys, successorOperator, successorFromBlock, onProgress } = options;
  const follower = new AccountFollower(successor, keys, successorFromBlock);
  if ((await follower.look()).own === undefined) {
    if (successorOperator === undefined)
      throw new OperatorError(
        `the rollup at ${successor.address} has no account of these keys: its operator has to make it (--to-operator-url)`,
      );
    onProgress({ kind: 'registering' });
    const status = await registerAccount(successorOperator, successor, keys);
    if (status !== 'REGISTERED' && status !== 'PUBLIC_KEY_ALREADY_EXISTS')
      throw new OperatorError(`the operator of the successor makes no account: ${status}`);
  }
  const id = await waits.until('account', async () => {
    const { own, next } = await follower.look();
    return { found: own?.id, mark: next.height };
  });
  onProgress({ kind: 'registered', id });
  return id;
}
