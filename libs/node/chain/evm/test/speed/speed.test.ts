import { describe, expect, it } from '@jest/globals';
import { runnersOf } from './runners.js';
import { OPCODE_PROGRAMS } from './opcode-programs.js';
import { runsOf } from './opcode-runs.js';
import { workloads } from './workloads.js';

describe('a workload of the benchmark', () => {
  it('has the same gas and result as in EthereumJS, also on a second run', async () => {
    for (const workload of await workloads()) {
      const { own, oracle, intrinsic } = await runnersOf(workload);
      for (let run = 0; run < 2; run++) {
        const ours = await own();
        const { execResult } = await oracle();
        expect([workload.name, ours.failure]).toEqual([workload.name, undefined]);
        expect(execResult.exceptionError).toBeUndefined();
        // The floor of EIP-7623 is above what a token transfer's data costs, and below what the transfer does.
        expect(ours.gasSpent).toBe(intrinsic + Number(execResult.executionGasUsed));
        expect(Buffer.from(ours.returnData)).toEqual(Buffer.from(execResult.returnValue));
        expect(ours.logs).toHaveLength(execResult.logs?.length ?? 0);
      }
    }
  });
});

describe('a program of the opcode benchmark', () => {
  it.each(OPCODE_PROGRAMS.map((program) => [program.name, program] as const))(
    '%s spends more gas the more often it has the opcode',
    async (_name, program) => {
      const spent: number[] = [];
      for (const copies of [1, 2, 40]) {
        for (const run of runsOf(program, copies)) {
          const { failure, gasSpent } = await run();
          expect(failure).toBeUndefined();
          spent.push(gasSpent);
        }
      }
      const [once, , twice, , often, without] = spent as [number, number, number, number, number, number];
      expect(twice).toBeGreaterThan(once);
      expect(often).toBeGreaterThan(without - 2 * 3 * 40);
    },
  );
});
