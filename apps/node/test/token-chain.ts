import { fileURLToPath } from 'node:url';
import { compileFolder } from '@tetrad/compilers';
import { loadToken } from '@tetrad/testkit';
import { Interface } from 'ethers/abi';
import { startNode, type RunningNode } from './running-node.js';

/** A node whose chain holds a token, transfers of it, and a transaction that reverted. */
export interface TokenChain {
  readonly node: RunningNode;
  readonly abi: Interface;
  readonly bytecode: string;
  readonly owner: string;
  readonly holder: string;
  readonly token: string;
  readonly deployment: string;
  /** Hash of a token transfer, and where it is. */
  readonly transfer: string;
  readonly block: { readonly hash: string; readonly number: string };
  readonly failed: string;
}

const HOLDER = `0x${'ab'.repeat(20)}`;

export async function startTokenChain(flags: readonly string[] = []): Promise<TokenChain> {
  await compileFolder(fileURLToPath(new URL('../../../libs/testkit', import.meta.url)));
  const node = await startNode(flags);
  const { abi: definition, bytecode } = await loadToken();
  const abi = new Interface(JSON.stringify(definition));
  const owner = node.accounts[0] as string;
  const send = async (transaction: Record<string, unknown>) => {
    const hash = await node.result<string>('eth_sendTransaction', [{ from: owner, ...transaction }]);
    return { hash, receipt: await node.mined(hash) };
  };
  const constructor = abi.encodeDeploy(['Token', 'T', 10n ** 24n]).slice(2);
  const { hash: deployment, receipt } = await send({ data: bytecode + constructor, gas: '0x1e8480' });
  const token = receipt.contractAddress;
  const { hash: transfer, receipt: mined } = await send({
    to: token,
    data: abi.encodeFunctionData('transfer', [HOLDER, 1000n]),
    gas: '0x186a0',
  });
  const { hash: failed } = await send({
    to: token,
    data: abi.encodeFunctionData('transfer', [HOLDER, 10n ** 30n]),
    gas: '0x186a0',
  });
  const block = { hash: mined['blockHash'] as string, number: mined.blockNumber };
  return { node, abi, bytecode, owner, holder: HOLDER, token, deployment, transfer, block, failed };
}
