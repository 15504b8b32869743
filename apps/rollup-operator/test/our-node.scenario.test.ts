import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { EthereumClient, RollupCodec } from '@tetrad/rollup-chain';
import { operationHash, rollupDomain, totalIndex } from '@tetrad/rollup-crypto';
import { OperatorAccount, submittingKeyOf } from '@tetrad/rollup-batcher';
import type { RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import {
  createTestDatabase,
  seededRandom,
  until,
  type ChildService,
  type TestDatabase,
} from '@tetrad/testkit';
import { bytesFromHex, type Hex } from '@tetrad/types';
import { startOurNode } from '../../signer/test/clients/our-node.js';
import type { EthereumClient as RunningNode } from '../../signer/test/clients/ethereum-client.js';
import { TokenAccess } from '../../signer/test/token-access.js';
import { RollupUser, deposit, depositOrder } from '../../../libs/rollup/state/src/testing/rollup-user.js';
import { OperatorHome, SUBMITTER, SUBMITTER_KEY, type Deployed } from './operator-process.js';

const UNIT = 1_000_000_000n;
const RECIPIENT = '0x00000000000000000000000000000000000f00d5';

describe('an operator on a Tetrad node that requires a token', () => {
  let access: TokenAccess;
  let node: RunningNode;
  let client: EthereumClient;
  let home: OperatorHome;
  let deployed: Deployed;
  let test: TestDatabase;
  let database: Database;
  let store: RollupStore;
  let codec: RollupCodec;
  let operator: ChildService;
  let alice: RollupUser;
  let domain: bigint;

  beforeAll(async () => {
    // The tests of many files run at a time, and a verification takes a while on our interpreter.
    process.env['TETRAD_NODE_RPC_EXECUTION_TIMEOUT'] = '60s';
    access = await TokenAccess.make();
    node = await startOurNode({ owner: SUBMITTER, access });
    const url = `http://127.0.0.1:${node.port}`;
    client = new EthereumClient({ url, headers: { authorization: `Bearer ${access.token}` } });
    home = await OperatorHome.make(url);
    await expect(home.deploy(['--batch-sizes', '2'])).rejects.toThrow(/HTTP 401/);
    deployed = await home.deploy(['--batch-sizes', '2', '--chain-token-file', access.tokenFile]);
    test = await createTestDatabase('rollup-operator');
    database = await connectDatabase({ url: test.url, poolSize: 3 });
    store = openRollupStore(database);
    codec = new RollupCodec();
    domain = rollupDomain(BigInt(deployed.chainId), deployed.contract);
    const random = seededRandom(9);
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    alice = new RollupUser(1, home.operatorKey, domain, draw);
    operator = await start();
  });

  afterAll(async () => {
    await operator?.stop();
    await client?.close();
    await database?.close();
    await test?.drop();
    await home?.remove();
    await node?.stop();
    await access?.remove();
  });

  const start = () =>
    home.start(deployed, {
      databaseUrl: test.url,
      roles: 'api,batcher,prover',
      flags: ['--chain-token-file', access.tokenFile],
    });
  const accept = async (operation: RollupOperation) => {
    if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
      throw new TypeError('only what is signed is accepted');
    await store.accept({ hash: operationHash(domain, operation), operation });
  };
  const finalUpTo = (height: number) => until(async () => (await store.finalHeight()) >= height, 100);
  const read = async (name: string) => {
    const call = { to: deployed.contract, data: bytesFromHex(codec.encodeCall(name, [])) };
    const data = `0x${Buffer.from(await client.call(call)).toString('hex')}` as Hex;
    return codec.decodeResult(name, data)[0] as unknown;
  };
  const depositFor = async (accountId: number, amount: bigint) => {
    const account = new OperatorAccount(submittingKeyOf(SUBMITTER_KEY));
    const data = bytesFromHex(codec.encodeCall('registerInboundTransferETH', [accountId]));
    const { raw } = await account.sign({
      chainId: BigInt(deployed.chainId),
      to: deployed.contract,
      data,
      value: amount * UNIT,
      nonce: await client.nonce(account.address),
      gasLimit: 200_000n,
      hasBaseFee: true,
      fees: { maxFee: 0n, maxPriorityFee: 0n },
    });
    await client.sendRaw(raw);
  };
  const paid = async () => BigInt(await node.result<Hex>('eth_getBalance', [RECIPIENT, 'latest']));

  it('takes a deposit through to a payment, and continues after it is killed in the middle', async () => {
    await accept(alice.create());
    await finalUpTo(1);
    await depositFor(1, 500n);
    await finalUpTo(2);
    await accept(alice.redeem(depositOrder(deposit(0, alice, 0, 500n)), totalIndex(2, 0), 1));
    await accept(alice.transferOut(RECIPIENT, 0, 20n, 2));
    // Proving as a rule; a host that stands still may show it later.
    const unsealed = ['open', 'sealed', undefined];
    await until(async () => !unsealed.includes((await store.findBatch(3))?.state), 20);
    await operator.kill();
    operator = await start();
    // On a busy host a batch is closed between the two operations.
    await until(async () => (await paid()) > 0n, 100);
    const height = Number(await read('height'));
    await finalUpTo(height);
    expect(await paid()).toBe(20n * UNIT);
    const last = await store.findBatch(height);
    expect([await read('height'), await read('stateRoot')]).toEqual([BigInt(height), last!.roots!.state]);
  });
});
