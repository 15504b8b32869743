import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import type { Address as EvmAddress } from '@ethereumjs/util';
import { compile } from '@tetrad/compilers';
import { bytesFromHex, hexFromBytes, type Hex } from '@tetrad/types';
import { Interface, type Result } from 'ethers/abi';

const CONTRACTS = join(import.meta.dirname, '../contracts');
const GAS = 30_000_000n;

type Sources = Record<string, { readonly content: string }>;

/** A source with the contracts that it imports, for the compiler. In: a file in the folder of this one */
export async function sourcesOf(file: string): Promise<Sources> {
  const sources: Sources = {};
  const add = async (name: string, path: string): Promise<void> => {
    if (name in sources) return;
    const content = await readFile(path, 'utf8');
    sources[name] = { content };
    for (const [, imported = ''] of content.matchAll(/from '\.\/(\w+\.sol)'/g))
      await add(imported, join(CONTRACTS, imported));
  };
  await add(file, join(import.meta.dirname, file));
  return sources;
}

/** One contract without constructor parameters in an EVM of its own, for calls that change nothing. */
export class EvmContract {
  private constructor(
    private readonly evm: EVM,
    private readonly address: EvmAddress,
    readonly abi: Interface,
  ) {}

  /** In: as `sourcesOf`, and the contract in it */
  static async create(file: string, name: string): Promise<EvmContract> {
    const artifact = compile(await sourcesOf(file), 'istanbul').get(name);
    if (artifact === undefined) throw new Error(`${file} has no contract ${name}`);
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Berlin });
    const evm = await createEVM({ common });
    const { createdAddress, execResult } = await evm.runCall({
      ...{ data: bytesFromHex(artifact.bytecode as Hex), gasLimit: GAS },
    });
    if (createdAddress === undefined || execResult.exceptionError !== undefined)
      throw new Error(`${name}: ${execResult.exceptionError?.error}`);
    return new EvmContract(evm, createdAddress, new Interface(artifact.abi));
  }

  /** Fails: when it is reverted, with the name of the error if the contract has it */
  async call(name: string, values: readonly unknown[]): Promise<Result> {
    const data = bytesFromHex(this.abi.encodeFunctionData(name, values) as Hex);
    const { execResult } = await this.evm.runCall({ to: this.address, data, gasLimit: GAS });
    const answer = hexFromBytes(execResult.returnValue);
    if (execResult.exceptionError !== undefined)
      throw new Error(this.abi.parseError(answer)?.name ?? execResult.exceptionError.error);
    return this.abi.decodeFunctionResult(name, answer);
  }
}
