import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import type { Address as EvmAddress } from '@ethereumjs/util';
import { compile } from '@tetrad/compilers';
import { bytesFromHex, hexFromBytes, type Address, type Hex } from '@tetrad/types';
import { Interface, type Result } from 'ethers/abi';
import { linkedCode, type Library } from '../src/contract/artifact.js';

const CONTRACTS = join(import.meta.dirname, '../contracts');
const GAS = 30_000_000n;
/** Those that are called, not inlined. */
const LIBRARIES = ['StateProofs'];

type Sources = Record<string, { readonly content: string }>;

/**
 * A source with the contracts that it imports, for the compiler.
 * @param file - a file in the folder of this one
 */
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

  /**
   * @param file - as for `sourcesOf`
   * @param name - of the contract in the file
   */
  static async create(file: string, name: string): Promise<EvmContract> {
    const artifacts = compile(await sourcesOf(file), 'istanbul');
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Berlin });
    const evm = await createEVM({ common });
    const libraries: Library[] = [];
    for (const library of LIBRARIES.filter((known) => artifacts.has(known))) {
      const address = (await deploy(evm, artifacts.get(library)?.bytecode ?? '')).toString() as Address;
      libraries.push({ name: library, file: `${library}.sol`, address });
    }
    const code = linkedCode(artifacts.get(name)?.bytecode ?? '', libraries);
    const errors = LIBRARIES.flatMap((library) => artifacts.get(library)?.abi ?? []);
    const abi = [...(artifacts.get(name)?.abi ?? []), ...errors.filter(({ type }) => type === 'error')];
    return new EvmContract(evm, await deploy(evm, code), new Interface(abi));
  }

  /**
   * Calls with data of a call, changed or not.
   * @returns name of the error with which it is reverted, `accepted` without one
   */
  async check(data: Hex): Promise<string> {
    const { execResult } = await this.evm.runCall({
      to: this.address,
      data: bytesFromHex(data),
      gasLimit: GAS,
    });
    if (execResult.exceptionError === undefined) return 'accepted';
    return this.errorName(execResult.returnValue) ?? execResult.exceptionError.error;
  }

  /** @throws when it is reverted, with the name of the error if the contract has it */
  async call(name: string, values: readonly unknown[]): Promise<Result> {
    const data = bytesFromHex(this.abi.encodeFunctionData(name, values) as Hex);
    const { execResult } = await this.evm.runCall({ to: this.address, data, gasLimit: GAS });
    const answer = hexFromBytes(execResult.returnValue);
    if (execResult.exceptionError !== undefined)
      throw new Error(this.errorName(execResult.returnValue) ?? execResult.exceptionError.error);
    return this.abi.decodeFunctionResult(name, answer);
  }

  /** The decoder of calls reverts without data. */
  private errorName(data: Uint8Array): string | undefined {
    return data.length === 0 ? undefined : this.abi.parseError(data)?.name;
  }
}

async function deploy(evm: EVM, code: string): Promise<EvmAddress> {
  const data = bytesFromHex(code as Hex);
  const { createdAddress, execResult } = await evm.runCall({ data, gasLimit: GAS });
  if (createdAddress === undefined || execResult.exceptionError !== undefined)
    throw new Error(`not deployed: ${execResult.exceptionError?.error}`);
  return createdAddress;
}
