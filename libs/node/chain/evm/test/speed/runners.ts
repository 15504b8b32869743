import {
  CodeCache,
  Journal,
  World,
  executeCall,
  messageGas,
  rulesOf,
  MemorySource,
  type ExecutionContext,
} from '../../src/index.js';
import { BASIC_PRECOMPILES } from '../basic-precompiles.js';
import { callOracle, openOracle } from '../fuzz/oracle.js';
import { FUZZ_BLOCK } from '../fuzz/own-run.js';
import type { Workload } from './workloads.js';

const FORK = 'osaka';
const context: ExecutionContext = {
  fork: FORK,
  block: FUZZ_BLOCK,
  precompiles: { of: () => BASIC_PRECOMPILES },
};

/** Our interpreter and EthereumJS, each over its own state, which successive runs continue. */
export async function runnersOf({ pre, request }: Workload) {
  const world = new World(new MemorySource(pre), new Journal(), new CodeCache());
  const { evm } = await openOracle(FORK, pre);
  const { to, data, accessList, gas } = request;
  const { intrinsic } = messageGas({ creation: to === undefined, data, accessList }, rulesOf(FORK));
  return {
    own: () => executeCall(context, request, world),
    oracle: () => callOracle(evm, request, gas - intrinsic),
    intrinsic,
  };
}
