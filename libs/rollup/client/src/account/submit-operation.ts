import { rollupHolderMethods } from '@tetrad/api-rollup-operator';
import { FRAMING_CODES, RpcCallError, RpcTransportError } from '@tetrad/rpc';
import { OperatorError, type Hash } from '@tetrad/types';
import type { OperatorClient } from '../operator/operator-client.js';
import type { OperationCall, SubmitMethod } from '../operations/operation-call.js';
import type { OpenOperation, OperationJournal } from './operation-journal.js';

/** The outcome of an operation whose answer was lost. */
export interface SettledOperation {
  readonly operation: OpenOperation;
  /** Whether the operator has it now. */
  readonly isAccepted: boolean;
  /** Why not. */
  readonly reason: string | undefined;
}

/** The operator may or may not have the operation; it stays in the journal. */
export class OutcomeUnknownError extends OperatorError {
  override readonly name = 'OutcomeUnknownError';

  constructor(
    readonly hash: Hash,
    problem: string,
  ) {
    super(
      `whether the operator has operation ${hash} is not known (${problem}); it is kept, and asked for next time`,
    );
  }
}

/**
 * Submits an operation that the journal holds.
 * @throws RpcCallError when the operator refuses it; OutcomeUnknownError
 */
export async function submitOperation(
  operator: OperatorClient,
  journal: OperationJournal,
  { hash, call }: OpenOperation,
): Promise<void> {
  try {
    const accepted = await submit(operator, call);
    if (accepted !== hash) throw new OutcomeUnknownError(hash, `the operator calls it ${accepted}`);
  } catch (error) {
    if (isRejection(error)) await journal.settle(hash);
    else if (error instanceof RpcCallError || error instanceof RpcTransportError)
      throw new OutcomeUnknownError(hash, error.message);
    throw error;
  }
  await journal.settle(hash);
}

/**
 * Asks for every open operation, and sends again, to the byte, those that the operator does not know.
 * @throws OutcomeUnknownError
 */
export async function settleOpenOperations(
  operator: OperatorClient,
  journal: OperationJournal,
): Promise<SettledOperation[]> {
  const settled: SettledOperation[] = [];
  for (const operation of journal.open) {
    const { hash, call } = operation;
    try {
      if (await isKnown(operator, call, hash)) await journal.settle(hash);
      else await submitOperation(operator, journal, operation);
      settled.push({ operation, isAccepted: true, reason: undefined });
    } catch (error) {
      if (error instanceof RpcTransportError) throw new OutcomeUnknownError(hash, error.message);
      if (!isRejection(error)) throw error;
      settled.push({ operation, isAccepted: false, reason: (error as Error).message });
    }
  }
  return settled;
}

async function submit(operator: OperatorClient, call: OperationCall): Promise<Hash> {
  switch (call.method) {
    case 'pazkp_createMoneyOrder':
      return (await operator.call(call.method, call.params)).operationHash;
    case 'pazkp_redeemMoneyOrder':
      return (await operator.call(call.method, call.params)).operationHash;
    case 'pazkp_createOutboundTransfer':
      return (await operator.call(call.method, call.params)).operationHash;
    case 'rollup_createDirectMoneyOrder':
      return (await operator.call(call.method, call.params)).operationHash;
    case 'rollup_setConsent':
      return (await operator.call(call.method, call.params)).operationHash;
    case 'rollup_revokeConsent':
      return (await operator.call(call.method, call.params)).operationHash;
  }
}

const finders = {
  pazkp_createMoneyOrder: 'pazkp_findMoneyOrderCreation',
  pazkp_redeemMoneyOrder: 'pazkp_findMoneyOrderRedemption',
  pazkp_createOutboundTransfer: 'pazkp_findOutboundTransfer',
  rollup_createDirectMoneyOrder: 'pazkp_findMoneyOrderCreation',
  rollup_setConsent: 'rollup_findConsentChange',
  rollup_revokeConsent: 'rollup_findConsentChange',
} as const;

async function isKnown(operator: OperatorClient, { method }: OperationCall, hash: Hash): Promise<boolean> {
  return (await operator.call(finders[method], [hash])) !== null;
}

/** Of any operation: an operator of a later version may refuse more of them for the same reasons. */
const REFUSALS: ReadonlySet<string> = new Set(
  Object.keys(finders).flatMap((method) => rollupHolderMethods[method as SubmitMethod].errors),
);

/** Whether the error says for certain that the operator did not take it. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof RpcCallError)) return false;
  if (error.code === FRAMING_CODES.INVALID_PARAMS || error.code === FRAMING_CODES.METHOD_NOT_FOUND)
    return true;
  const { reason } = (error.data ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' && REFUSALS.has(reason);
}
