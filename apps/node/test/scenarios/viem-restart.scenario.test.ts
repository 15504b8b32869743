import { createPublicClient, http, parseAbi, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts, until } from '@tetrad/testkit';
import { createNodeHome, type NodeHome } from '../node-process.js';
import { SentToken } from './sent-token.js';

const [OWNER] = developmentAccounts(1, 'owner') as [ReturnType<typeof developmentAccounts>[number]];
const HOLDER = `0x${'ab'.repeat(20)}` as const;
const KILLS = 2;
/** Only transfers to the holder, and so not what the creation of the token logs. */
const EVENT = {
  abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
  eventName: 'Transfer',
  args: { to: HOLDER },
} as const;

let home: NodeHome;
beforeAll(async () => {
  home = await createNodeHome([OWNER]);
});
afterAll(() => home?.remove());

interface Seen {
  readonly transactionHash: Hex | null;
  readonly logIndex: number | null;
}
const nameOf = ({ transactionHash, logIndex }: Seen) => `${transactionHash}-${logIndex}`;

describe('a program that watches a contract by viem beside a node that is killed and started again', () => {
  it('goes on watching by itself, and finds what it missed by the logs, each once', async () => {
    let node = await home.start(['--http-api', 'eth']);
    const token = await SentToken.deploy(home, OWNER);
    const client = createPublicClient({ transport: http(home.url, { retryCount: 0 }), pollingInterval: 50 });
    const address = token.address;
    const watched: string[] = [];
    const errors: Error[] = [];
    const stopWatching = client.watchContractEvent({
      ...EVENT,
      address,
      onLogs: (logs) => watched.push(...logs.map(nameOf)),
      onError: (error) => errors.push(error),
    });
    const hashes: string[] = [];
    /** Transfers until the program gets one: it gets nothing that is mined before it has a filter again. */
    const transferUntilSeen = async () => {
      const before = watched.length;
      while (watched.length === before) {
        hashes.push(await token.transfer(HOLDER, BigInt(hashes.length + 1)));
        await token.mined(hashes.at(-1) as string);
        await new Promise((tick) => setTimeout(tick, 200));
      }
    };
    try {
      await transferUntilSeen();
      for (let kill = 0; kill < KILLS; kill++) {
        const failed = errors.length;
        hashes.push(await token.transfer(HOLDER, BigInt(hashes.length + 1)));
        await node.kill();
        await until(() => errors.length > failed);
        node = await home.start(['--http-api', 'eth']);
        await transferUntilSeen();
      }
    } finally {
      stopWatching();
    }
    const logs = await client.getContractEvents({ ...EVENT, address, fromBlock: 0n, strict: true });
    expect(logs.map(({ transactionHash }) => transactionHash)).toEqual(hashes);
    expect(logs.map(({ args }) => args.value)).toEqual(hashes.map((_, index) => BigInt(index + 1)));
    // It got nothing twice, and nothing that is not in the chain.
    expect(new Set(watched).size).toBe(watched.length);
    expect(logs.map(nameOf)).toEqual(expect.arrayContaining(watched));
    expect(await node.stop()).toBe(0);
  });
});
