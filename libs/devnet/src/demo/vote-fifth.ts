import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

/** Starts a fifth node, votes it in as a validator, and out again; then it is stopped. */
export async function voteFifth(context: DemoContext): Promise<string> {
  const { network } = context;
  const validators = [...network.nodes];
  const newcomer = await network.join();
  const candidate = newcomer.files.address;
  const isMember = async () => {
    const set = (await callRpc(newcomer.rpc, 'ibft_getValidators', [])) as string[];
    return set.includes(candidate);
  };
  const propose = async (add: boolean) => {
    for (const { rpc } of validators) await callRpc(rpc, 'ibft_propose', [candidate, add]);
    await eventually(
      `${newcomer.files.name} is ${add ? 'no' : 'still a'} validator`,
      async () => (await isMember()) === add,
    );
    for (const { rpc } of validators) await callRpc(rpc, 'ibft_discard', [candidate]);
  };
  await propose(true);
  await eventually(`${newcomer.files.name} proposes no block`, async () => {
    const { author } = (await callRpc(newcomer.rpc, 'ibft_getSignersFromBlock', [])) as { author: string };
    return author === candidate;
  });
  const own = Number(await callRpc(newcomer.rpc, 'eth_blockNumber', []));
  await propose(false);
  const set = (await callRpc(context.nodeUrl, 'ibft_getValidators', [])) as string[];
  assert(set.length === validators.length, `there are ${set.length} validators`);
  await newcomer.stop();
  return `a fifth node joined, was voted in by ${validators.length} validators, proposed block ${own}, and was voted out`;
}
