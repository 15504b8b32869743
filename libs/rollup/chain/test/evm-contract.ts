import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from '@tetrad/compilers';
import type { Address, Hex } from '@tetrad/types';
import { Interface, type Result } from 'ethers/abi';
import { linkedCode, type Library } from '../src/contract/artifact.js';
import { startChain, type TestChain } from './anvil-chain.js';

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

/** One contract without constructor parameters on a chain of its own, for calls that change nothing. */
export class EvmContract {
  private constructor(
    private readonly chain: TestChain,
    private readonly address: Address,
    readonly abi: Interface,
  ) {}

  /**
   * In anvil: an EVM in JavaScript takes a hundred times as long for a signature.
   *
   * @param file - as for `sourcesOf`
   * @param name - of the contract in the file
   */
  static async create(file: string, name: string): Promise<EvmContract> {
    const artifacts = compile(await sourcesOf(file), 'istanbul');
    const chain = await startChain(['--hardfork', 'berlin']);
    const libraries: Library[] = [];
    for (const library of LIBRARIES.filter((known) => artifacts.has(known))) {
      const address = await chain.create(artifacts.get(library)?.bytecode ?? '');
      libraries.push({ name: library, file: `${library}.sol`, address });
    }
    const code = linkedCode(artifacts.get(name)?.bytecode ?? '', libraries);
    const errors = LIBRARIES.flatMap((library) => artifacts.get(library)?.abi ?? []);
    const abi = [...(artifacts.get(name)?.abi ?? []), ...errors.filter(({ type }) => type === 'error')];
    return new EvmContract(chain, await chain.create(code), new Interface(abi));
  }

  /**
   * Calls with data of a call, changed or not.
   * @returns name of the error with which it is reverted, `reverted` for one without a name, `accepted` without one
   */
  async check(data: Hex): Promise<string> {
    const reverted = await this.chain.revertData(this.callOf(data));
    return reverted === undefined ? 'accepted' : (this.errorName(reverted) ?? 'reverted');
  }

  /** @throws when it is reverted, with the name of the error if the contract has it */
  async call(name: string, values: readonly unknown[]): Promise<Result> {
    const call = this.callOf(this.abi.encodeFunctionData(name, values) as Hex);
    const answer = await this.chain.ask<Hex>('eth_call', [call, 'latest']);
    return this.abi.decodeFunctionResult(name, answer);
  }

  stop(): Promise<void> {
    return this.chain.stop();
  }

  private callOf(data: Hex) {
    return { from: this.chain.accounts[0] as Address, to: this.address, data, gas: GAS };
  }

  /** The decoder of calls reverts without data. */
  private errorName(data: Hex): string | undefined {
    return data === '0x' ? undefined : this.abi.parseError(data)?.name;
  }
}
