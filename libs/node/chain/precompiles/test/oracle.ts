import { Common, Mainnet, type Hardfork } from '@ethereumjs/common';
import { createEVM, getActivePrecompiles, type EVM } from '@ethereumjs/evm';
import { verifyProof } from './verify-proof.js';
import type { ForkName } from '../src/precompile.js';

/** Result of another implementation for an input: EthereumJS, with noble for KZG proofs. */
export interface Verdict {
  /** Gas when it succeeds; the price of a failure is all there is. */
  readonly gas: number;
  readonly output: Uint8Array | undefined;
}

export type Oracle = (address: number, input: Uint8Array) => Promise<Verdict>;

const GAS = 1n << 62n;

/** The precompiles of EthereumJS under the rules of a fork. */
export async function createOracle(fork: ForkName): Promise<Oracle> {
  const common = new Common({
    chain: Mainnet,
    hardfork: fork as Hardfork,
    customCrypto: { kzg: { verifyProof } as never },
  });
  const evm = (await createEVM({ common })) as EVM;
  const table = getActivePrecompiles(common);
  return async (address, data) => {
    const run = table.get(address.toString(16).padStart(40, '0'));
    if (run === undefined) throw new Error(`no precompile at ${address} in ${fork}`);
    const result = await run({ data, gasLimit: GAS, common, _EVM: evm });
    const failed = result.exceptionError !== undefined;
    return { gas: Number(result.executionGasUsed), output: failed ? undefined : result.returnValue };
  };
}
