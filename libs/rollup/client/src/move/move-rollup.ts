import { OperatorError } from '@tetrad/types';
import { isFrozen } from '../chain/is-frozen.js';
import { rollupTokens } from '../chain/rollup-tokens.js';
import { AccountFollower } from '../exit/account-follower.js';
import { exitRollup } from '../exit/exit.js';
import type { ExitOptions } from '../exit/exit-options.js';
import { payOwed } from '../exit/pay-owed.js';
import { assertSame, beginMove, type MoveParts } from './begin-move.js';
import { ArrivedDeposits } from './deposit-arrived.js';
import type { MoveStart } from './move-file.js';
import type { MoveOptions } from './move-options.js';
import { readPlaces, type TokenPlaces } from './move-report.js';
import { MoveWaits } from './move-waits.js';
import { registerInSuccessor } from './register-in-successor.js';
import { ServedWithdrawal, type OwnRecovery } from './served-withdrawal.js';

/** How a move ended. */
export interface MoveEnd {
  /** nothing: the account holds nothing that could move; frozen: the successor takes no deposits any more, and the file stays. */
  readonly kind: 'moved' | 'nothing' | 'frozen';
  readonly places: readonly TokenPlaces[];
}

/**
 * Moves what an account holds in a rollup to the account of the same keys in another one: takes it out to the address of the
 * keys, and deposits from there what arrived. It keeps one file; where an earlier run was interrupted, it goes on by the two
 * contracts alone.
 *
 * @param given - both rollups, the keys, and the file
 * @returns how it ended, and where the money is
 * @throws MoveRefusedError before anything is sent; OperatorError for keys without an account, an operator that does not serve,
 *   too little ether, or when it is aborted; as `exitRollup`, `RollupAccount` and `RollupContract.send`
 */
export async function moveRollup(given: MoveOptions): Promise<MoveEnd> {
  const { contract, keys, file, fromBlock, onProgress } = given;
  const options = { ...given, tokens: await tokensOf(given) };
  const follower = new AccountFollower(contract, keys, fromBlock);
  await follower.look((block) => onProgress({ kind: 'reading', block }));
  const parts = { look: () => lookAt(follower), waits: new MoveWaits(options) };
  const start = await beginMove(options, parts);
  if (start === undefined) return { kind: 'nothing', places: [] };
  const end = await carryOut(options, start, parts);
  const places = await parts.waits.until('events', async () => ({
    found: await readPlaces(options, start, await parts.look()),
    mark: 0,
  }));
  if (end === 'frozen') return { kind: 'frozen', places };
  await file.remove();
  return { kind: 'moved', places };
}

/**
 * Ends a move that has begun, wherever it is; nothing is sent.
 *
 * @param options - the rollup that is left, the keys, and the file
 * @returns where the money is
 * @throws OperatorError when no move of the rollup has begun; as `readPlaces`
 */
export async function abandonMove(
  options: Pick<MoveOptions, 'contract' | 'file' | 'fromBlock' | 'keys' | 'tokens'>,
): Promise<readonly TokenPlaces[]> {
  const { contract, keys, file, fromBlock } = options;
  const { start } = file;
  if (start === undefined) throw new OperatorError('no move has begun with these keys');
  await assertSame(contract, start);
  const recovery = await lookAt(new AccountFollower(contract, keys, fromBlock));
  const places = await readPlaces({ ...options, tokens: await tokensOf(options) }, start, recovery);
  if (places === undefined)
    throw new OperatorError(
      'the Ethereum client does not have the events of the latest block yet; run it again',
    );
  await file.remove();
  return places;
}

async function carryOut(
  options: MoveOptions,
  start: MoveStart,
  parts: MoveParts,
): Promise<'done' | 'frozen'> {
  if (await isFrozen(options.successor)) return 'frozen';
  const accountId = await registerInSuccessor(options, parts.waits);
  await takeOut(options, start, parts);
  return new ArrivedDeposits(options, parts.waits, start, accountId).run();
}

async function takeOut(options: MoveOptions, start: MoveStart, parts: MoveParts): Promise<void> {
  const { contract, byChain, keys } = options;
  const exit: ExitOptions = { ...options, recipient: keys.address };
  if (!byChain && !(await isFrozen(contract))) {
    const end = await ServedWithdrawal.with(options, parts, (withdrawal) => withdrawal.run(start.height));
    if (end === 'done') {
      await payOwed(exit, keys.address);
      return;
    }
  }
  // What is owed still is said, and in the rollup: another run fetches it.
  await exitRollup(exit);
}

async function lookAt(follower: AccountFollower): Promise<OwnRecovery> {
  const recovery = await follower.look();
  if (recovery.own === undefined) throw new OperatorError('the rollup has no account of these keys');
  return recovery as OwnRecovery;
}

/** Ids in the rollup that is left: those of the file once there is one. */
async function tokensOf({
  contract,
  file,
  tokens,
}: Pick<MoveOptions, 'contract' | 'file' | 'tokens'>): Promise<MoveOptions['tokens']> {
  const { start } = file;
  if (start === undefined) return tokens;
  const { tokens: addresses } = start;
  const ids =
    addresses === undefined
      ? undefined
      : (await rollupTokens(contract))
          .filter(({ address }) => addresses.includes(address))
          .map(({ id }) => id);
  const isOther = tokens !== undefined && `${[...tokens].sort()}` !== `${ids?.sort()}`;
  if (isOther)
    throw new OperatorError(
      '--only: the move has begun with other tokens; leave the option out, or --abandon it',
    );
  return ids === undefined ? undefined : new Set(ids);
}
