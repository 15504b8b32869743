import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts, presign, runLoad } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { createNodeHome, type NodeHome } from '../node-process.js';
import { post } from '../running-node.js';

/** How often the node is killed; `./tetrad bench crash` asks for more. */
const KILLS = Number(process.env['TETRAD_CRASH_KILLS'] ?? 5);
const CONNECTIONS = 8;
const OWNERS = developmentAccounts(4, 'owner');

let home: NodeHome;
beforeAll(async () => {
  home = await createNodeHome(OWNERS);
});
afterAll(() => home.remove());

/** Transactions in a fixed order per sender; one that was not acknowledged is sent again. */
class Load {
  readonly acknowledged = new Set<string>();
  private readonly nonces = OWNERS.map(() => 0);

  /** Sends until the node stops answering or the load is ended. */
  async run(url: string, signal: AbortSignal): Promise<void> {
    await Promise.all(OWNERS.map((_, owner) => this.runOwner(url, { owner, signal })));
  }

  private async runOwner(
    url: string,
    { owner, signal }: { owner: number; signal: AbortSignal },
  ): Promise<void> {
    while (!signal.aborted) {
      const first = this.nonces[owner] as number;
      const batch = Array.from({ length: CONNECTIONS }, (_, index) => [
        this.transaction(owner, first + index),
      ]);
      const options = { url, connections: CONNECTIONS, method: 'eth_sendRawTransaction', signal };
      const outcomes = await runLoad(batch, options);
      let sent = 0;
      for (const { result, error } of outcomes.filter((outcome) => outcome !== undefined)) {
        // "Already known" and "nonce too low" say that an earlier send was stored although its answer was lost.
        const stored = typeof result === 'string' || /already known|nonce too low/.test(error?.message ?? '');
        if (typeof result === 'string') this.acknowledged.add(result);
        if (stored) sent += 1;
        else break;
      }
      this.nonces[owner] = first + sent;
      if (sent < CONNECTIONS) await new Promise((tick) => setTimeout(tick, 10));
    }
  }

  private transaction(owner: number, nonce: number): string {
    const { privateKey } = OWNERS[owner] as (typeof OWNERS)[number];
    const { address } = OWNERS[(owner + 1) % OWNERS.length] as (typeof OWNERS)[number];
    const plain = {
      chainId: 1337n,
      gasLimit: 21_000,
      to: address,
      value: 1n,
      data: new Uint8Array(0),
      gasPrice: 0n,
    };
    return hexFromBytes(presign({ ...plain, nonce }, privateKey));
  }
}

/** Every mined hash with the sender's nonce, in the order of the chain. */
async function readChain(url: string): Promise<{ hash: string; from: string; nonce: number }[]> {
  const head = Number((await post(url, 'eth_blockNumber', [])).result);
  const mined: { hash: string; from: string; nonce: number }[] = [];
  for (let number = 1; number <= head; number++) {
    const { result } = await post(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
    const { transactions } = result as { transactions: { hash: string; from: string; nonce: string }[] };
    mined.push(...transactions.map(({ hash, from, nonce }) => ({ hash, from, nonce: Number(nonce) })));
  }
  return mined;
}

describe('a node that is killed again and again under load', () => {
  it(
    `loses no acknowledged transaction and mines none twice, over ${KILLS} kills`,
    async () => {
      const load = new Load();
      for (let kill = 0; kill < KILLS; kill++) {
        const node = await home.start();
        const abort = new AbortController();
        const running = load.run(home.url, abort.signal);
        // Never before it has promised something, however busy the host is.
        const promised = load.acknowledged.size;
        while (load.acknowledged.size === promised) await new Promise((tick) => setTimeout(tick, 5));
        await new Promise((tick) => setTimeout(tick, Math.random() * 480));
        await node.kill();
        abort.abort();
        await running;
      }
      expect(load.acknowledged.size).toBeGreaterThanOrEqual(KILLS);

      const node = await home.start();
      const missing = new Set(load.acknowledged);
      while (missing.size > 0) {
        for (const hash of [...missing].slice(0, 50)) {
          if ((await post(home.url, 'eth_getTransactionReceipt', [hash])).result === null) break;
          missing.delete(hash);
        }
        // Polling without a pause would keep the node from mining.
        if (missing.size > 0) await new Promise((tick) => setTimeout(tick, 50));
      }
      const mined = await readChain(home.url);
      expect(new Set(mined.map(({ hash }) => hash)).size).toBe(mined.length);
      for (const { address } of OWNERS) {
        const nonces = mined.filter(({ from }) => from === address).map(({ nonce }) => nonce);
        expect(nonces).toEqual(nonces.map((_, index) => index));
      }
      expect(await node.stop()).toBe(0);
      const { code, stdout } = await home.run(['--verify']);
      expect(code).toBe(0);
      // The result is the last line, whatever is logged.
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ verified: true });
    },
    300_000 + KILLS * 30_000,
  );
});
