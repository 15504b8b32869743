import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '@tetrad/solidity';
import type { Address } from '@tetrad/types';
import { Interface } from 'ethers';
import type { PrivacyNetwork } from '../../privacy-network.js';
import type { RpcAnswer, RunningNode } from '../../running-node.js';

const GAS = '0x2dc6c0';

const content = readFileSync(join(import.meta.dirname, 'Storages.sol'), 'utf8');
const artifacts = compile({ 'Storages.sol': { content } }, 'istanbul');

/** The contracts of `Storages.sol`; other functions than these are asked for by none. */
export const contracts = new Interface([
  ...[
    'function set(uint256)',
    'function get() view returns (uint256)',
    'function y() view returns (uint256)',
  ],
  'function restoreFromC1()',
]);

/** Data of a transaction that creates the contract. */
export function creationOf(name: 'SimpleStorage' | 'C1' | 'C2', argument: number | string): string {
  const { abi, bytecode } = artifacts.get(name) ?? { abi: [], bytecode: '0x' };
  return bytecode + new Interface(JSON.stringify(abi)).encodeDeploy([argument]).slice(2);
}

export const setTo = (value: number) => contracts.encodeFunctionData('set', [value]);

type Receipt = Awaited<ReturnType<RunningNode['mined']>>;

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

  /** Sends from the account of a node; to the keys of the nodes that `parties` names, or publicly without it. */
  async send(
    index: number,
    { parties, ...request }: { readonly parties?: readonly number[] } & Readonly<Record<string, unknown>>,
  ): Promise<RpcAnswer> {
    const privateFor = parties?.map((party) => this.key(party));
    const transaction = { from: this.account(index), gas: GAS, privateFor, ...request };
    return this.node(index).call('eth_sendTransaction', [transaction]);
  }

  /** The receipts of a transaction that must be sent, in the order of the nodes. */
  async mine(index: number, request: Parameters<PrivateClient['send']>[1]): Promise<readonly Receipt[]> {
    const { result, error } = await this.send(index, request);
    if (error !== undefined) throw new Error(error.message);
    return Promise.all(this.network.nodes.map((node) => node.mined(result as string)));
  }

  async statuses(index: number, request: Parameters<PrivateClient['send']>[1]): Promise<readonly string[]> {
    return (await this.mine(index, request)).map(({ status }) => status);
  }

  ask<T>(method: string, ...params: readonly unknown[]): Promise<T[]> {
    return Promise.all(this.network.nodes.map((node) => node.result<T>(method, params)));
  }

  /** What each node reads of the contract: a number, or `0x` where it has no code. */
  async values(to: string, name: 'get' | 'y' = 'get'): Promise<(number | '0x')[]> {
    const answers = await this.ask<string>('eth_call', { to, data: contracts.encodeFunctionData(name) });
    return answers.map((answer) => (answer === '0x' ? answer : Number(answer)));
  }

  private node(index: number): RunningNode {
    return this.network.nodes[index] as RunningNode;
  }
}
