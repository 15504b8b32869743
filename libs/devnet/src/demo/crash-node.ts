import { developmentAccounts, presign, runLoad, type CallOutcome } from '@tetrad/testkit';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { allMined } from '../network/all-mined.js';
import { FUNDED_ACCOUNTS } from '../network/network-files.js';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';

const TRANSACTIONS = 4_000;
const CONNECTIONS = 16;

/** Kills the node in the middle of load, starts it again, and looks for every transaction it had acknowledged. */
export async function crashNode(context: DemoContext): Promise<string> {
  const raws = await presignLoad(context);
  const abort = new AbortController();
  const acknowledged: string[] = [];
  const note = (_index: number, { result }: CallOutcome) => {
    if (typeof result === 'string') acknowledged.push(result);
    // Somewhere in the middle, with calls under way and a block in the making.
    if (acknowledged.length === TRANSACTIONS / 2) {
      abort.abort();
      void context.node.kill();
    }
  };
  const params = raws.map((raw) => [hexFromBytes(raw)]);
  const options = { url: context.nodeUrl, connections: CONNECTIONS, method: 'eth_sendRawTransaction' };
  await runLoad(params, { ...options, onAnswer: note, signal: abort.signal });
  await context.node.kill();
  await context.node.start();
  const blocks = await waitUntilMined(context, acknowledged);
  return `the node was killed after ${acknowledged.length} acknowledged transactions; restarted, it has mined every one of them exactly once, in ${blocks} blocks`;
}

async function presignLoad(context: DemoContext): Promise<Uint8Array[]> {
  const recipient = developmentAccounts(1, 'crash recipient')[0];
  assert(recipient !== undefined, 'no recipient');
  const nonces = await Promise.all(
    FUNDED_ACCOUNTS.map(async ({ address }) =>
      Number(await callRpc(context.nodeUrl, 'eth_getTransactionCount', [address, 'latest'])),
    ),
  );
  return Array.from({ length: TRANSACTIONS }, (_, index) => {
    const turn = index % FUNDED_ACCOUNTS.length;
    const account = FUNDED_ACCOUNTS[turn] as (typeof FUNDED_ACCOUNTS)[number];
    const nonce = (nonces[turn] as number) + Math.floor(index / FUNDED_ACCOUNTS.length);
    const plain = {
      gasLimit: 21_000,
      to: parseAddress(recipient.address),
      value: 1n,
      data: new Uint8Array(0),
      gasPrice: 0n,
    };
    return presign(
      { chainId: BigInt(context.network.endpoints.chainId), nonce, ...plain },
      account.privateKey,
    );
  });
}

/** Every hash has one receipt, and no block holds a hash twice. Out: how many blocks hold them. */
async function waitUntilMined(context: DemoContext, hashes: readonly string[]): Promise<number> {
  const distinct = new Set(hashes);
  await allMined(context.nodeUrl, distinct);
  return countBlocks(context, distinct);
}

async function countBlocks(context: DemoContext, wanted: ReadonlySet<string>): Promise<number> {
  const head = Number(await callRpc(context.nodeUrl, 'eth_blockNumber', []));
  const seen = new Set<string>();
  let blocks = 0;
  for (let number = 0; number <= head; number++) {
    const block = (await callRpc(context.nodeUrl, 'eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ])) as {
      transactions: string[];
    };
    const ours = block.transactions.filter((hash) => wanted.has(hash));
    for (const hash of ours) {
      assert(!seen.has(hash), `${hash} is mined twice`);
      seen.add(hash);
    }
    if (ours.length > 0) blocks += 1;
  }
  assert(
    seen.size === wanted.size,
    `${wanted.size - seen.size} transactions have a receipt but stand in no block`,
  );
  return blocks;
}
