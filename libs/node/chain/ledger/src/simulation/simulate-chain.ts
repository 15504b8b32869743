import { RequestError, type Block } from '@tetrad/types';
import type { WorldState } from '@tetrad/node-execution';
import type { Ledger } from '../ledger.js';
import { SimulationBlockRun } from './simulation-block-run.js';
import { SimulationMeter } from './simulation-meter.js';
import {
  SimulationPace,
  type BlockRequest,
  type SimulatedBlock,
  type SimulationOptions,
} from './simulated-block.js';

/** Limit on the blocks of one simulation, including those that fill gaps (Ethereum execution API, eth_simulateV1). */
const MAX_SIMULATED_BLOCKS = 256;

/** A block of the request with its number and time. */
interface PlacedBlock extends BlockRequest {
  readonly number: number;
  readonly timestamp: bigint;
}

/**
 * Runs blocks of messages one after the other on top of a block; nothing is kept.
 * @param options.world - the state after `base`; it is changed
 * @throws RequestError SIMULATION_… with the code of the Ethereum execution API; ExecutionAbortedError
 */
export async function simulateChain(
  ledger: Ledger,
  { base, world }: { readonly base: Block; readonly world: WorldState },
  requests: readonly BlockRequest[],
  options: SimulationOptions,
): Promise<SimulatedBlock[]> {
  const meter = new SimulationMeter(options);
  meter.assertGasFor(requests.reduce((sum, { calls }) => sum + calls.length, 0));
  const pace = new SimulationPace(options.admission);
  const simulated: SimulatedBlock[] = [];
  const findBlockHash = async (number: number) =>
    number <= base.header.number
      ? (await ledger.findBlock(number))?.hash
      : simulated.find(({ block }) => block.header.number === number)?.block.hash;
  let parent: Pick<Block, 'hash' | 'header'> = base;
  const step = ledger.rules.timestampStep(base.header.number + 1);
  for (const request of place(requests, base, step)) {
    await pace.giveWay();
    const run = new SimulationBlockRun(
      { ledger, world, parent, findBlockHash, meter, pace, options },
      request,
    );
    const block = await run.run();
    simulated.push(block);
    parent = block.block;
  }
  return simulated;
}

/** Gives every block its number and time, and fills gaps with empty blocks. */
function place(requests: readonly BlockRequest[], { header }: Block, step: bigint): PlacedBlock[] {
  const placed: PlacedBlock[] = [];
  let [number, timestamp] = [header.number, header.timestamp];
  for (const request of requests) {
    const wanted = request.block?.number ?? number + 1;
    if (wanted <= number)
      throw new RequestError(
        'SIMULATION_BLOCK_NUMBER',
        `block numbers must be in order: ${wanted} <= ${number}`,
      );
    if (wanted - header.number > MAX_SIMULATED_BLOCKS)
      throw new RequestError('SIMULATION_LIMIT_EXCEEDED', 'too many blocks');
    while (number + 1 < wanted) {
      number += 1;
      timestamp += step;
      placed.push({ number, timestamp, calls: [] });
    }
    const given = request.block?.time;
    const time = given ?? timestamp + step;
    if (time <= timestamp)
      throw new RequestError(
        'SIMULATION_BLOCK_TIMESTAMP',
        `block timestamps must be in order: ${time} <= ${timestamp}`,
      );
    [number, timestamp] = [wanted, time];
    placed.push({ ...request, number, timestamp });
  }
  return placed;
}
