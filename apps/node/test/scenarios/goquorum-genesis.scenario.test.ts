import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { developmentAccounts } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { hexFromBytes } from '@tetrad/types';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';

const VECTORS = join(import.meta.dirname, '../../../../libs/node/chain/consensus-bft-chain/vectors');
/** Of the recorded chain; its export begins with this block. */
const QBFT_GENESIS_HASH = '0x424389d9617e996d824c02a5cb0418937cd33f6fde189895ed6c5fc5d23ff3a5';
const [OWNER] = developmentAccounts(1, 'owner');

let home: NodeHome;
let node: NodeProcess | undefined;
beforeAll(async () => {
  home = await createNodeHome([]);
});
afterAll(async () => {
  await node?.kill();
  await home.remove();
});

async function call(method: string, ...params: unknown[]) {
  const response = await fetch(home.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { result?: unknown; error?: { message: string } };
}

async function blockAt(number: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { result } = await call('eth_getBlockByNumber', number, false);
    if (result !== null && result !== undefined) return result as Record<string, unknown>;
    await new Promise((tick) => setTimeout(tick, 50));
  }
}

/** A network of one validator in the manner of the published files. */
function published() {
  const extraData = bftRules('qbft').genesisExtraData([addressFromPrivateKey(Buffer.alloc(32, 0x42))]);
  return {
    config: {
      chainId: 1337,
      homesteadBlock: 0,
      eip150Block: 0,
      eip155Block: 0,
      eip158Block: 0,
      byzantiumBlock: 0,
      constantinopleBlock: 0,
      petersburgBlock: 0,
      istanbulBlock: 0,
      muirglacierblock: 0,
      berlinBlock: 0,
      londonBlock: 0,
      isQuorum: true,
      txnSizeLimit: 32,
      maxCodeSizeConfig: [{ block: 0, size: 35 }],
      qbft: { policy: 0, epoch: 30_000, ceil2Nby3Block: 0, testQBFTBlock: 0, blockPeriodSeconds: 1 },
      transitions: [{ block: 2, 'miner.gaslimit': 20_000_000, transactionSizeLimit: 64 }],
    },
    nonce: '0x0',
    timestamp: '0x0',
    gasLimit: '0xE4E1C0',
    gasUsed: '0x0',
    number: '0x0',
    difficulty: '0x1',
    mixHash: '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365',
    coinbase: `0x${'00'.repeat(20)}`,
    parentHash: `0x${'00'.repeat(32)}`,
    extraData: hexFromBytes(extraData),
    alloc: { [OWNER?.address ?? '']: { balance: '1000000000000000000000000000' } },
  };
}

function transfer(nonce: number, changes: { gasPrice?: bigint; dataBytes?: number } = {}): string {
  const { privateKey, address } = OWNER as NonNullable<typeof OWNER>;
  const raw = signTransaction(
    {
      chainId: 1337n,
      nonce: BigInt(nonce),
      gasLimit: 2_000_000n,
      to: address,
      value: 1n,
      data: new Uint8Array(changes.dataBytes ?? 0),
      fees: { type: 'legacy', gasPrice: changes.gasPrice ?? 0n },
    },
    privateKey,
  );
  return hexFromBytes(raw);
}

describe('a node with the genesis file of a GoQuorum network', () => {
  it('has its block 0', async () => {
    const file = join(VECTORS, 'qbft.genesis.json');
    const { stdout } = await home.run(['enode', '--genesis-file', file]);
    expect(stdout).toContain(QBFT_GENESIS_HASH);
    expect(stdout).toContain('rules of goquorum');
  });

  it('continues by its rules: no London, no gas prices, its limits, and logs what it ignores', async () => {
    const file = join(home.folder, 'published.json');
    await writeFile(file, JSON.stringify(published()));
    node = await home.start(['--genesis-file', file]);
    const first = await blockAt('0x1');
    expect(first).not.toHaveProperty('baseFeePerGas');
    expect(first).not.toHaveProperty('withdrawalsRoot');
    expect(await call('eth_sendRawTransaction', transfer(0, { gasPrice: 1n }))).toMatchObject({
      error: { message: 'Gas price not 0', data: { reason: 'GAS_PRICE_NOT_ZERO' } },
    });
    expect((await call('eth_sendRawTransaction', transfer(0, { dataBytes: 65_536 }))).error?.message).toMatch(
      /^oversized data: transaction size \d+, limit \d+$/,
    );
    // From block 2 on.
    expect(await blockAt('0x2')).toMatchObject({ gasLimit: '0x1312d00' });
    expect((await call('eth_sendRawTransaction', transfer(0, { dataBytes: 65_536 }))).error?.message).toMatch(
      /limit 65536$/,
    );
    expect(await call('eth_sendRawTransaction', transfer(0, { dataBytes: 40_000 }))).toHaveProperty('result');
    expect(await node.stop()).toBe(0);
    const { stdout } = await node.finished;
    expect(stdout).toContain('config.londonBlock is ignored, as in GoQuorum');
    node = undefined;
  });

  it.each([{ qip714Block: 0 }, { transitions: [{ block: 9, EnhancedPermissioningEnabled: true }] }])(
    'reports without --permissioned that it does not enforce %j',
    async (config) => {
      const file = join(home.folder, 'promise.json');
      const json = published();
      await writeFile(file, JSON.stringify({ ...json, config: { ...json.config, ...config } }));
      node = await home.start(['--genesis-file', file]);
      expect(await node.stop()).toBe(0);
      expect((await node.finished).stdout).toContain('this node does not without --permissioned');
      node = undefined;
    },
  );

  it('is refused whole where London headers would appear that the network does not have', async () => {
    const recorded = JSON.parse(await readFile(join(VECTORS, 'qbft.genesis.json'), 'utf8')) as {
      config: Record<string, unknown>;
    };
    const file = join(home.folder, 'doubtful.json');
    const config = { ...recorded.config, isQuorum: undefined, londonBlock: 0 };
    await writeFile(file, JSON.stringify({ ...recorded, config }));
    const { code, stderr } = await home.run(['--genesis-file', file]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/config\.londonBlock: .*say which rules hold/);
    const said = await home.run(['enode', '--genesis-file', file, '--genesis-rules', 'goquorum']);
    expect(said.stdout).toContain(QBFT_GENESIS_HASH);
  });
});
