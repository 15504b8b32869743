import type { Abi, Client, ContractFunctionRevertedError, Hash } from 'viem';
import { WaitForPrivateReceiptTimeoutError } from '../errors/privacy-errors.js';
import { reasonOf } from '../errors/request-error.js';
import { compareViews, viewOf, type PartyOutcome } from './agreement.js';
import { findPrivateReceipt, type PrivateReceipt } from './private-receipt.js';
import { findRevertError } from './revert-error.js';

export interface WaitForPrivateReceiptParameters {
  readonly hash: Hash;
  /** Of the contract: decodes custom errors of a revert. */
  readonly abi?: Abi | readonly unknown[] | undefined;
  /** Clients of other parties' nodes, which are asked whether they came to the same. */
  readonly parties?: readonly Client[] | undefined;
  /** Milliseconds between questions; the client's polling interval by default. */
  readonly pollingInterval?: number | undefined;
  /** Milliseconds until the wait ends in an error; three minutes by default. */
  readonly timeout?: number | undefined;
}

export interface WaitForPrivateReceiptReturnType extends PrivateReceipt {
  /** Why the transaction reverted, where that can be known. */
  readonly revertError: ContractFunctionRevertedError | undefined;
  /** What the transaction left at the nodes of `parties`, in their order. */
  readonly outcomes: readonly PartyOutcome[];
  /** Whether all of `parties` came to the same as this node; undefined when none was given. */
  readonly isAgreed: boolean | undefined;
}

export type WaitForPrivateReceiptErrorType = WaitForPrivateReceiptTimeoutError;

const DEFAULT_TIMEOUT_MS = 180_000;

/**
 * Waits until a transaction is mined and its private state is known, at this node and at those of the parties given.
 *
 * @param client - client of the node of a party
 * @param parameters - which transaction, and who is asked
 * @returns the receipt in the private state, and whether the parties agree
 * @throws WaitForPrivateReceiptTimeoutError
 * @throws UnexpectedReceiptError when a node gives the receipt of another transaction
 *
 * @example
 * const { contractAddress, isAgreed } = await waitForPrivateReceipt(client, { hash, parties: [otherClient] })
 */
export async function waitForPrivateReceipt(
  client: Client,
  { hash, abi = [], parties = [], ...waiting }: WaitForPrivateReceiptParameters,
): Promise<WaitForPrivateReceiptReturnType> {
  const { pollingInterval: interval = client.pollingInterval, timeout = DEFAULT_TIMEOUT_MS } = waiting;
  const end = Date.now() + timeout;
  const [own, ...others] = await Promise.all(
    [client, ...parties].map(async (one) => viewOf(one, await awaitReceipt(one, hash, { interval, end }))),
  );
  const { receipt } = own as NonNullable<typeof own>;
  const outcomes = compareViews(own as NonNullable<typeof own>, others);
  return {
    ...receipt,
    revertError: await findRevertError(client, receipt, abi as Abi),
    outcomes,
    isAgreed: outcomes.length === 0 ? undefined : outcomes.every(({ agrees }) => agrees),
  };
}

async function awaitReceipt(
  client: Client,
  hash: Hash,
  { interval, end }: { readonly interval: number; readonly end: number },
): Promise<PrivateReceipt> {
  for (;;) {
    const { receipt, problem } = await receiptIfThere(client, hash);
    if (receipt !== undefined) return receipt;
    if (Date.now() >= end) throw new WaitForPrivateReceiptTimeoutError({ hash, cause: problem });
    await new Promise((done) => setTimeout(done, Math.min(interval, Math.max(end - Date.now(), 0))));
  }
}

/** Private state that is not there yet may come; every other failure ends the wait. */
async function receiptIfThere(
  client: Client,
  hash: Hash,
): Promise<{ readonly receipt?: PrivateReceipt | undefined; readonly problem?: Error }> {
  try {
    return { receipt: await findPrivateReceipt(client, hash) };
  } catch (error) {
    if (!isPassing(error)) throw error;
    return { problem: error as Error };
  }
}

function isPassing(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason === 'PRIVATE_STATE_NOT_AVAILABLE' || reason === 'TRANSACTION_MANAGER_UNAVAILABLE';
}
