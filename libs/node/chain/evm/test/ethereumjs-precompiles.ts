import type { Common } from '@ethereumjs/common';
import { createEVM, getActivePrecompiles, type ExecResult, type PrecompileFunc } from '@ethereumjs/evm';
import {
  BLS_GAS_DISCOUNT_PAIRS_G1,
  BLS_GAS_DISCOUNT_PAIRS_G2,
} from '../../../../../node_modules/@ethereumjs/evm/dist/esm/precompiles/bls12_381/constants.js';
import { type ForkName, type Precompile, type Precompiles, type Word } from '../src/index.js';
import { BASIC_PRECOMPILES } from './basic-precompiles.js';
import { commonOf } from './common-of.js';

const PLENTY = 2n ** 62n;
const ORACLE_ADDRESSES = 0x200n;

/** EthereumJS' precompiles behind our interface: the oracle's until our own are there. */
export class EthereumjsPrecompiles implements Precompiles {
  private readonly forks = new Map<ForkName, ReadonlyMap<Word, Precompile>>();

  private constructor() {}

  static async load(forks: readonly ForkName[]): Promise<EthereumjsPrecompiles> {
    const precompiles = new EthereumjsPrecompiles();
    for (const fork of forks) precompiles.forks.set(fork, await load(fork));
    return precompiles;
  }

  of(fork: ForkName): ReadonlyMap<Word, Precompile> {
    return this.forks.get(fork) as ReadonlyMap<Word, Precompile>;
  }
}

async function load(fork: ForkName): Promise<ReadonlyMap<Word, Precompile>> {
  const common = commonOf(fork);
  const evm = await createEVM({ common });
  const precompiles = new Map<Word, Precompile>(BASIC_PRECOMPILES);
  for (const [address, run] of getActivePrecompiles(common)) {
    const number = BigInt(`0x${address}`);
    if (number >= ORACLE_ADDRESSES || precompiles.has(Number(number))) continue;
    const gas = GAS_OF_WAITING[Number(number)];
    precompiles.set(Number(number), adapt(run, { common, evm, ...(gas === undefined ? {} : { gas }) }));
  }
  return precompiles;
}

const msm =
  (pairSize: number, pairGas: number, discounts: readonly (readonly [number, number])[]) =>
  (input: Uint8Array): number => {
    const pairs = Math.floor(input.length / pairSize);
    if (pairs === 0) return 0;
    const discount = (discounts[Math.min(pairs, discounts.length) - 1] as readonly [number, number])[1];
    return Math.floor((pairs * pairGas * discount) / 1_000);
  };

/** Gas of BLAKE2F, which must not run to know it, and of those that answer with a promise. EIP-152, 4844, 2537. */
const GAS_OF_WAITING: Readonly<Record<number, (input: Uint8Array) => number>> = {
  0x09: (input) => (input.length < 4 ? 0 : new DataView(input.buffer, input.byteOffset).getUint32(0)),
  0x0a: () => 50_000,
  0x0b: () => 375,
  0x0c: msm(160, 12_000, BLS_GAS_DISCOUNT_PAIRS_G1),
  0x0d: () => 600,
  0x0e: msm(288, 22_500, BLS_GAS_DISCOUNT_PAIRS_G2),
  0x0f: (input) => 37_700 + 32_600 * Math.floor(input.length / 384),
  0x10: () => 5_500,
  0x11: () => 23_800,
};

interface Oracle {
  readonly common: Common;
  readonly evm: Awaited<ReturnType<typeof createEVM>>;
  readonly gas?: (input: Uint8Array) => number;
}

function adapt(run: PrecompileFunc, { common, evm, gas }: Oracle): Precompile {
  const execute = (data: Uint8Array) => run({ data, gasLimit: PLENTY, common, _EVM: evm });
  if (gas !== undefined) {
    return {
      gas,
      run: (input) => {
        const result = execute(input.slice());
        return result instanceof Promise ? result.then(outputOf) : outputOf(result);
      },
    };
  }
  // The gas is known only when it has run, and running again takes as long.
  let last: { readonly input: Uint8Array; readonly result: ExecResult } | undefined;
  const remembered = (input: Uint8Array): ExecResult => {
    if (last === undefined || Buffer.compare(last.input, input) !== 0) {
      last = { input: input.slice(), result: execute(input.slice()) as ExecResult };
    }
    return last.result;
  };
  return {
    gas(input) {
      const { executionGasUsed } = remembered(input);
      return executionGasUsed >= PLENTY ? 0 : Number(executionGasUsed);
    },
    run: (input) => outputOf(remembered(input)),
  };
}

function outputOf({ exceptionError, returnValue }: ExecResult): Uint8Array | undefined {
  return exceptionError === undefined ? returnValue : undefined;
}
