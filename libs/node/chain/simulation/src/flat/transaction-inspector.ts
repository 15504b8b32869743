import type { CallTreeEntry, InternalOperation } from '@tetrad/api-node';
import { FAILURE } from '@tetrad/node-evm';
import { RequestError, type Hash } from '@tetrad/types';
import type { ExecutionGate } from '../execution-gate.js';
import { callTreeOf, internalOperationsOf } from './call-tree.js';
import type { FlatRecord } from './record-flat.js';
import { recordTransaction, type RecordingParts } from './record-transaction.js';

interface InspectorParts extends RecordingParts {
  readonly executions: ExecutionGate;
}

/**
 * What an explorer shows of a mined transaction beyond its receipt, from executing it again within the limits of
 * `ExecutionGate`. All methods fail with RequestError TRANSACTION_NOT_FOUND, and as `recordTransaction`.
 */
export class TransactionInspector {
  constructor(private readonly parts: InspectorParts) {}

  async callTree(hash: Hash, signal: AbortSignal): Promise<CallTreeEntry[]> {
    return callTreeOf((await this.record(hash, signal)).top);
  }

  async internalOperations(hash: Hash, signal: AbortSignal): Promise<InternalOperation[]> {
    return internalOperationsOf((await this.record(hash, signal)).top);
  }

  /** What a revert returned; empty for a transaction that succeeded or failed otherwise. */
  async revertData(hash: Hash, signal: AbortSignal): Promise<Uint8Array> {
    const { top, output } = await this.record(hash, signal);
    return top.error === FAILURE.reverted ? output : new Uint8Array(0);
  }

  private record(hash: Hash, signal: AbortSignal): Promise<FlatRecord> {
    return this.parts.executions.run(signal, async (admission) => {
      const recorded = await recordTransaction(this.parts, hash, { admission, withState: false });
      if (recorded === undefined) throw new RequestError('TRANSACTION_NOT_FOUND', 'transaction not found');
      return recorded.record;
    });
  }
}
