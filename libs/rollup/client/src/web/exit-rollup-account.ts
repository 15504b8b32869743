import { OperatorError, isAddress, parseAddress } from '@tetrad/types';
import { exitFreezingContract } from '../exit/exit-freezing-contract.js';
import type { ExitProgress } from '../exit/exit-options.js';
import type { ChainClient } from './chain-client.js';
import { keysOf } from './holder-keys.js';
import { reachContract } from './reach-rollup.js';
import type { RollupHolder } from './rollup-holder.js';
import type { RollupPlace } from './rollup-place.js';

/** Units of a token of the rollup. */
export interface UnitsOfToken {
  readonly tokenId: number;
  readonly amount: bigint;
}

/** What an exit does, in the order in which it happens; each step may be the last before the page is closed. */
export interface RollupExitStep extends Partial<UnitsOfToken> {
  /** Such as `requested`, `waiting`, `freezing`, `frozen`, `claimed`, `left`, or `owed`. */
  readonly kind: string;
  /** Of a transaction. */
  readonly hash?: `0x${string}`;
  /** Time of the chain until which the operator may serve, Unix time in seconds. */
  readonly until?: number;
  /** Why the contract refuses a call, which is made again when that passes. */
  readonly reason?: string;
}

/** Whose account is left, and who is paid. */
export interface ExitRollupAccountParameters {
  readonly holder: RollupHolder;
  /** Who is paid; by default the address of the holder. */
  readonly recipient?: `0x${string}` | undefined;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
  /** Ends the exit after the step that is under way. */
  readonly signal?: AbortSignal | undefined;
  /** Gets each step. */
  readonly onStep?: ((step: RollupExitStep) => void) | undefined;
}

/**
 * Takes all that an account holds out of the rollup by the chain alone, whatever its operator does. The holder's address pays the
 * gas. It may take days, and keeps nothing: after the page was closed, the next call goes on where the chain is.
 *
 * @param client - of the chain that has the contract
 * @param parameters - the contract, the holder, and who is paid
 * @returns what the contract still owes, because a payment failed
 * @throws OperatorError for a holder without an account, when it is ended, or for a contract of an earlier version, which
 *   `tetrad rollup exit` leaves; as `reachRollup`
 */
export async function exitRollupAccount(
  client: ChainClient,
  parameters: Pick<RollupPlace, 'contract'> & ExitRollupAccountParameters,
): Promise<readonly UnitsOfToken[]> {
  const { holder, fromBlock, onStep, recipient = holder.address } = parameters;
  const { signal = new AbortController().signal } = parameters;
  if (!isAddress(recipient)) throw new OperatorError('recipient: must be an address');
  const keys = keysOf(holder);
  const contract = await reachContract(client, parameters);
  if (contract.exitRules === 'turns')
    throw new OperatorError(
      'contract: is of an earlier version, which needs proofs; use `tetrad rollup exit`',
    );
  const onProgress = (progress: ExitProgress) => onStep?.(stepOf(progress));
  return exitFreezingContract({
    contract,
    keys,
    recipient: parseAddress(recipient),
    fromBlock,
    signal,
    onProgress,
    pause,
  });
}

/** Without what names types of this repository. */
function stepOf(progress: ExitProgress): RollupExitStep {
  const { kind, tokenId, amount, hash, until, reason }: RollupExitStep = progress;
  const all = { tokenId, amount, hash, until, reason };
  return { kind, ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) };
}

/** Ends early when the signal comes. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    };
    const timer = setTimeout(finish, signal.aborted ? 0 : ms);
    signal.addEventListener('abort', finish, { once: true });
  });
}
