import { connectDatabase } from '@tetrad/db';
import { EthereumClient, RollupCodec } from '@tetrad/rollup-chain';
import { OperatorAccount, submittingKeyOf } from '@tetrad/rollup-batcher';
import { encodePoint, operationHash, rollupDomain, totalIndex } from '@tetrad/rollup-crypto';
import type { RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, until } from '@tetrad/testkit';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import {
  OperatorHome,
  SUBMITTER,
  SUBMITTER_KEY,
  type Deployed,
} from '../../rollup-operator/test/operator-process.js';
import { compose } from '../../rollup-operator/test/running-operator.js';
import type { EthereumClient as RunningNode } from '../../signer/test/clients/ethereum-client.js';
import { startOurNode } from '../../signer/test/clients/our-node.js';
import { RollupUser, deposit, depositOrder } from '../../../libs/rollup/state/src/testing/rollup-user.js';

/** Wei of one unit of the rollup, as the contract is deployed. */
const UNIT = 1_000_000_000n;

/** A node that makes blocks, and a rollup on its chain with an operator that proves its batches. */
export interface RealRollup {
  readonly node: RunningNode;
  readonly deployed: Deployed;
  /** URL of the operator's methods. */
  readonly url: string;
  /** An account holder of the rollup; always the same keys. */
  user(id: number): RollupUser;
  /**
   * Gives the operator an operation.
   * @returns its hash
   */
  accept(operation: RollupOperation): Promise<string>;
  finalUpTo(height: number): Promise<unknown>;
  /** A deposit of ether on the contract. */
  depositFor(accountId: number, amount: bigint): Promise<void>;
  /** The operator is gone; the chain goes on. */
  stopOperator(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRealRollup(): Promise<RealRollup> {
  const node = await startOurNode({ owner: SUBMITTER });
  const url = `http://127.0.0.1:${node.port}`;
  const home = await OperatorHome.make(url);
  // A deposit that waits is overdue at once.
  const deployed = await home.deploy(['--batch-sizes', '2', '--stall-timeout', '1']);
  const domain = rollupDomain(BigInt(deployed.chainId), deployed.contract);
  const test = await createTestDatabase('rollup-operator');
  const prover = await home.start(deployed, { databaseUrl: test.url, roles: 'batcher,prover' });
  const identity = ['--chain-id', String(deployed.chainId), '--contract', deployed.contract];
  const key = hexFromBytes(encodePoint(home.operatorKey));
  const api = await compose(test.url, [...identity, '--operator-key', key]);
  const database = await connectDatabase({ url: test.url, poolSize: 3 });
  const store = openRollupStore(database);
  const client = new EthereumClient({ url });
  let isOperating = true;
  const stopOperator = async () => {
    if (!isOperating) return;
    isOperating = false;
    await api.stop();
    await prover.stop();
  };
  return {
    node,
    deployed,
    url: api.url,
    stopOperator,
    user(id) {
      const random = seededRandom(9);
      return new RollupUser(id, home.operatorKey, domain, () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n);
    },
    async accept(operation) {
      if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
        throw new TypeError('only what is signed is accepted');
      const hash = operationHash(domain, operation);
      await store.accept({ hash, operation });
      return `0x${hash.toString(16).padStart(64, '0')}`;
    },
    finalUpTo: (height) => until(async () => (await store.finalHeight()) >= height, 100),
    depositFor: (accountId, amount) => sendDeposit(client, deployed, accountId, amount),
    async stop() {
      await stopOperator();
      await client.close();
      await database.close();
      await test.drop();
      await home.remove();
      await node.stop();
    },
  };
}

async function sendDeposit(
  client: EthereumClient,
  { chainId, contract }: Deployed,
  accountId: number,
  amount: bigint,
): Promise<void> {
  const codec = new RollupCodec();
  const account = new OperatorAccount(submittingKeyOf(SUBMITTER_KEY));
  const data = bytesFromHex(codec.encodeCall('registerInboundTransferETH', [accountId]));
  const { raw } = await account.sign({
    chainId: BigInt(chainId),
    to: contract,
    data,
    value: amount * UNIT,
    nonce: await client.nonce(account.address),
    gasLimit: 200_000n,
    hasBaseFee: true,
    fees: { maxFee: 0n, maxPriorityFee: 0n },
  });
  await client.sendRaw(raw);
}

/** The redemption of what the first deposit became at the start of a batch. */
export function redemptionOf(
  user: RollupUser,
  amount: bigint,
  height: number,
  nonce: number,
): RollupOperation {
  return user.redeem(depositOrder(deposit(0, user, 0, amount)), totalIndex(height, 0), nonce);
}
