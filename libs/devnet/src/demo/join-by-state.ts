import { callRpc, CallRefused } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

interface Block {
  readonly hash: string;
  readonly transactions: readonly string[];
}

/** A new member takes the state of a recent block from the others, whose checkpoint it is given, and executes what follows. */
export async function joinByState({ network, nodeUrl, transfers }: DemoContext): Promise<string> {
  const head = Number(await callRpc(nodeUrl, 'eth_blockNumber', []));
  const number = `0x${(head - 1).toString(16)}`;
  const { hash } = (await callRpc(nodeUrl, 'eth_getBlockByNumber', [number, false])) as Block;
  const newcomer = await network.join({ nodeOptions: `--sync state --checkpoint ${head - 1}:${hash}` });
  const heightOf = async () => Number(await callRpc(newcomer.rpc, 'eth_blockNumber', []));
  await eventually(`${newcomer.name} executes no new block`, async () => (await heightOf()) > head + 1);
  const refusal = await callRpc(newcomer.rpc, 'eth_getBalance', [`0x${'00'.repeat(20)}`, '0x1']).catch(
    (error: unknown) => (error instanceof CallRefused ? error.message : Promise.reject(error)),
  );
  assert(
    String(refusal).includes('the state of block 1 is not kept'),
    `${newcomer.name} has the state of block 1, so it executed the past: ${String(refusal)}`,
  );
  const [sent] = transfers;
  assert(sent !== undefined, 'no transaction was sent before');
  const receiptOf = async (url: string) =>
    JSON.stringify(await callRpc(url, 'eth_getTransactionReceipt', [sent]));
  const receipt = await receiptOf(nodeUrl);
  await eventually(
    `${newcomer.name} has no receipt of the past`,
    async () => (await receiptOf(newcomer.rpc)) === receipt,
  );
  await newcomer.stop();
  return `a new node took the state of about block ${head} in place of executing the past, follows the chain, and has a receipt of before`;
}
