import {
  viewBlock,
  viewLog,
  type SimulatedBlockView,
  type SimulatedCallView,
  type ethSimulationMethods,
} from '@tetrad/api-node';
import { blockSize } from '@tetrad/node-block';
import { simulateChain, type SimulatedBlock, type SimulatedOutcome } from '@tetrad/node-ledger';
import { BlockResolver } from '@tetrad/node-queries';
import { readRevertReason } from '@tetrad/node-simulation';
import { EXECUTION_REVERTED_CODE, type CallContext, type Handlers } from '@tetrad/rpc';
import type { Block, Hash } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** Code of the Ethereum execution API for a message that failed without reverting. */
const VM_ERROR_CODE = -32015;
/** Outcomes that are shown before other work has its turn. */
const CALLS_AT_A_TIME = 64;
const REVERTED = 'execution reverted';

export function simulationHandlers(
  parts: Pick<NodeParts, 'executions' | 'ledger' | 'limits' | 'pending' | 'privateState'>,
): Handlers<typeof ethSimulationMethods> {
  const { ledger, limits } = parts;
  const blocks = new BlockResolver(parts);
  return {
    async eth_simulateV1([simulation, reference = 'latest'], context) {
      const requests = simulation.blockStateCalls.map(({ blockOverrides, stateOverrides, calls }) => ({
        block: blockOverrides ?? undefined,
        state: stateOverrides ?? undefined,
        calls: calls ?? [],
      }));
      const start = { base: await blocks.get(reference), world: (await blocks.world(reference)).copy() };
      const simulated = await parts.executions.run(context.signal, (admission) =>
        simulateChain(ledger, start, requests, {
          validation: simulation.validation === true,
          traceTransfers: simulation.traceTransfers === true,
          gasCap: limits.callGas,
          maxBytes: limits.answerBytes,
          admission,
        }),
      );
      const transactions = simulation.returnFullTransactions === true ? 'full' : 'hashes';
      const views: SimulatedBlockView[] = [];
      for (const one of simulated) views.push(await showSimulated(one, transactions, context));
      return views;
    },
  };
}

async function showSimulated(
  { block, outcomes }: SimulatedBlock,
  transactions: 'hashes' | 'full',
  context: Pick<CallContext, 'giveWay'>,
): Promise<SimulatedBlockView> {
  let firstLogIndex = 0;
  const calls: SimulatedCallView[] = [];
  await context.giveWay();
  for (const [index, outcome] of outcomes.entries()) {
    if (index % CALLS_AT_A_TIME === CALLS_AT_A_TIME - 1) await context.giveWay();
    calls.push(await showCall(outcome, { block, index, firstLogIndex }));
    firstLogIndex += outcome.logs.length;
  }
  return { ...viewBlock(block, { sizeBytes: blockSize(block), transactions }), calls };
}

async function showCall(
  { status, returnData, gasUsed, logs, failure }: SimulatedOutcome,
  { block, index, firstLogIndex }: { block: Block; index: number; firstLogIndex: number },
): Promise<SimulatedCallView> {
  const { number: blockNumber, timestamp: blockTimestamp } = block.header;
  const transactionHash = block.transactions[index]?.hash as Hash;
  const place = {
    blockHash: block.hash,
    blockNumber,
    blockTimestamp,
    transactionHash,
    transactionIndex: index,
  };
  return {
    returnData,
    gasUsed,
    status,
    logs: logs.map((log, at) => viewLog({ ...place, log, logIndex: firstLogIndex + at })),
    ...(failure === undefined ? {} : { error: await errorOf(failure, returnData) }),
  };
}

async function errorOf(failure: string, data: Uint8Array): Promise<SimulatedCallView['error']> {
  if (failure !== REVERTED) return { code: VM_ERROR_CODE, message: failure };
  const reason = await readRevertReason(data);
  const message = reason === undefined ? failure : `${failure}: ${reason}`;
  return { code: EXECUTION_REVERTED_CODE, message, data };
}
