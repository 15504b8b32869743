import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '@tetrad/compilers';
import type { Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import type { PrivacyNetwork } from '../../privacy-network.js';
import type { RpcAnswer, RunningNode } from '../../running-node.js';

const GAS = '0x2dc6c0';

/** A contract of a Solidity file beside this one, for the EVM of Istanbul. */
export interface CompiledContract {
  readonly interface: Interface;
  /** Data of its creation. */
  creation(...values: readonly unknown[]): string;
}

const compiledFiles = new Map<string, ReturnType<typeof compile>>();

/** The contracts of a file are compiled once. */
function artifactsOf(file: string): ReturnType<typeof compile> {
  const known = compiledFiles.get(file);
  if (known !== undefined) return known;
  const content = readFileSync(join(import.meta.dirname, file), 'utf8');
  const artifacts = compile({ [file]: { content } }, 'istanbul');
  compiledFiles.set(file, artifacts);
  return artifacts;
}

export function compiled(file: string, name: string): CompiledContract {
  const artifact = artifactsOf(file).get(name);
  if (artifact === undefined) throw new Error(`${file} has no ${name}`);
  const own = new Interface(JSON.stringify(artifact.abi));
  return { interface: own, creation: (...values) => artifact.bytecode + own.encodeDeploy(values).slice(2) };
}

/** The contracts of `Storages.sol`; other functions than these are asked for by none. */
export const contracts = new Interface([
  'function set(uint256)',
  'function get() view returns (uint256)',
  'function y() view returns (uint256)',
  'function restoreFromC1()',
]);

/** Data of a transaction that creates a contract of `Storages.sol`. */
export function creationOf(name: 'SimpleStorage' | 'C1' | 'C2', argument: number | string): string {
  return compiled('Storages.sol', name).creation(argument);
}

export const setTo = (value: number) => contracts.encodeFunctionData('set', [value]);

export type MinedReceipt = Awaited<ReturnType<RunningNode['mined']>>;

/**
 * Sends from the account of the sender.
 * @returns the receipts of the nodes, in their order, once all have one
 */
export async function sendAndMine(
  sender: RunningNode,
  nodes: readonly RunningNode[],
  request: object,
): Promise<{ readonly hash: string; readonly receipts: readonly MinedReceipt[] }> {
  const [from] = sender.accounts;
  const hash = await sender.result<string>('eth_sendTransaction', [{ from, gas: GAS, ...request }]);
  return { hash, receipts: await Promise.all(nodes.map((node) => node.mined(hash))) };
}

/** What the function of the contract returns at each of the nodes; '0x' where the contract does not exist. */
export function valuesAt(
  nodes: readonly RunningNode[],
  { interface: own }: Pick<CompiledContract, 'interface'>,
  to: string,
  method: string,
): Promise<(number | '0x')[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const answer = await node.result<string>('eth_call', [{ to, data: own.encodeFunctionData(method) }]);
      return answer === '0x' ? answer : Number(own.decodeFunctionResult(method, answer)[0]);
    }),
  );
}

/** A transaction to the nodes that `parties` names, or a public one without it. */
type Request = { readonly parties?: readonly number[] } & Readonly<Record<string, unknown>>;

/** The nodes of a network, each with an account, asked all together. */
export class PrivateClient {
  constructor(private readonly network: PrivacyNetwork) {}

  /** Key of the manager of a node. */
  key(index: number): string {
    return this.network.managers[index]?.key ?? '';
  }

  account(index: number): Address {
    return this.node(index).accounts[0] as Address;
  }

  /** Sends from the account of a node. */
  async send(index: number, request: Request): Promise<RpcAnswer> {
    const transaction = { from: this.account(index), gas: GAS, ...this.addressed(request) };
    return this.node(index).call('eth_sendTransaction', [transaction]);
  }

  /** The receipts of a transaction that must be sent, in the order of the nodes. */
  async mine(index: number, request: Request): Promise<readonly MinedReceipt[]> {
    const { receipts } = await sendAndMine(this.node(index), this.network.nodes, this.addressed(request));
    return receipts;
  }

  async statuses(index: number, request: Request): Promise<readonly string[]> {
    return (await this.mine(index, request)).map(({ status }) => status);
  }

  ask<T>(method: string, ...params: readonly unknown[]): Promise<T[]> {
    return Promise.all(this.network.nodes.map((node) => node.result<T>(method, params)));
  }

  /** What each node reads of the contract: a number, or `0x` where it has no code. */
  values(to: string, name: 'get' | 'y' = 'get'): Promise<(number | '0x')[]> {
    return valuesAt(this.network.nodes, { interface: contracts }, to, name);
  }

  private addressed({ parties, ...request }: Request): Readonly<Record<string, unknown>> {
    return { privateFor: parties?.map((party) => this.key(party)), ...request };
  }

  private node(index: number): RunningNode {
    return this.network.nodes[index] as RunningNode;
  }
}
