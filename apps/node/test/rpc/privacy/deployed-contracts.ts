import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '@tetrad/solidity';
import { Interface } from 'ethers';
import type { RunningNode } from '../../running-node.js';

const GAS = '0x2dc6c0';

/** A contract of a Solidity file beside this one, for the EVM of Istanbul. */
export interface CompiledContract {
  readonly interface: Interface;
  /** Data of its creation. */
  creation(...values: readonly unknown[]): string;
}

export function compiled(file: string, name: string): CompiledContract {
  const content = readFileSync(join(import.meta.dirname, file), 'utf8');
  const artifact = compile({ [file]: { content } }, 'istanbul').get(name);
  if (artifact === undefined) throw new Error(`${file} has no ${name}`);
  const own = new Interface(JSON.stringify(artifact.abi));
  return { interface: own, creation: (...values) => artifact.bytecode + own.encodeDeploy(values).slice(2) };
}

export type MinedReceipt = Awaited<ReturnType<RunningNode['mined']>>;

/** Sends from the account of the sender. Out: the receipts of the nodes, in their order, once all have one */
export async function sendAndMine(
  sender: RunningNode,
  nodes: readonly RunningNode[],
  request: object,
): Promise<{ readonly hash: string; readonly receipts: readonly MinedReceipt[] }> {
  const [from] = sender.accounts;
  const hash = await sender.result<string>('eth_sendTransaction', [{ from, gas: GAS, ...request }]);
  return { hash, receipts: await Promise.all(nodes.map((node) => node.mined(hash))) };
}

/** What the function of the contract answers at each of the nodes; '0x' where there is no contract. */
export function valuesAt(
  nodes: readonly RunningNode[],
  { interface: own }: CompiledContract,
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
