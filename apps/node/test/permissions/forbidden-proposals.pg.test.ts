import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signingKeyOf } from '@tetrad/crypto';
import { isDatabaseUnavailable } from '@tetrad/db';
import { bftRules, decodeQbftExtraData } from '@tetrad/node-consensus-bft';
import { startConsensus, type Consensus } from '@tetrad/node-consensus-bft-chain';
import { defaultGenesis } from '@tetrad/node-execution';
import type { PermissionOperation } from '@tetrad/node-permission-contracts';
import { developmentAccounts, until, type DevelopmentAccount } from '@tetrad/testkit';
import {
  hexFromBytes,
  silentLogger,
  silentMetrics,
  systemClock,
  type Address,
  type Block,
  type SignedTransaction,
} from '@tetrad/types';
import { beginTogether } from '../../../../libs/node/chain/consensus-bft-chain/test/begin-together.js';
import {
  accountOf,
  nodeOf,
} from '../../../../libs/node/permissions/permission-contracts/test/permission-chain.js';
import { PermissionedLedger, contentOf } from '../permissioned-ledger.js';
import { NETWORK } from '../permissioned-network.js';
import { CHAIN_ID } from '../running-node.js';
import { VALIDATORS, keyOf } from '../validator-chain.js';

const account = (index: number) => developmentAccounts(8, 'permissioned')[index] as DevelopmentAccount;
const [ADMIN, PAYER, STRANGER, BANKER] = [account(1), account(2), account(3), account(4)];
/** A's node is modified: it enforces no permissions. */
const NAMES = ['A', 'B', 'C', 'D'] as const;
const KEYS = NAMES.map(keyOf);
const BARRED = 'account does not have permission for the transaction';
const BLOCK_PERIOD_MS = 50;

const bank = { orgId: 'BANK', node: nodeOf(2), account: BANKER.address } as const;
/** BANK is suspended, and PAYER of the network's organization may transfer alone. */
const HISTORY: readonly PermissionOperation[] = [
  { name: 'addOrg', ...bank },
  { name: 'approveOrg', ...bank },
  { name: 'updateOrgStatus', orgId: 'BANK', action: 1 },
  { name: 'approveOrgStatus', orgId: 'BANK', action: 1 },
  { name: 'addNewRole', orgId: NETWORK, roleId: 'PAYER', access: 1, isVoter: false, isAdmin: false },
  { name: 'assignAccountRole', orgId: NETWORK, roleId: 'PAYER', account: PAYER.address },
];

let ledgers: readonly PermissionedLedger[] = [];
const modified = () => ledgers[0] as PermissionedLedger;
const honest = () => ledgers.slice(1);

beforeAll(async () => {
  for (const name of NAMES) {
    const setup = { model: 'v2', genesis: genesis(), keys: KEYS, enforces: name !== 'A' } as const;
    ledgers = [...ledgers, await PermissionedLedger.open(setup, [ADMIN.address])];
  }
  await modified().setUp(NAMES.map((_, index) => nodeOf(100 + index)));
  const acts = HISTORY.map((operation) => modified().operation(ADMIN, operation));
  expect(await modified().append(acts)).toEqual(HISTORY.map(() => true));
  const { ledger } = modified().chain;
  for (let number = 1; number <= ledger.head().header.number; number++)
    for (const { chain } of honest())
      await chain.ledger.importBlock((await ledger.findBlock(number)) as Block);
});
afterAll(async () => {
  for (const ledger of ledgers) await ledger.close();
});

describe('validators of whom one does not enforce permissions', () => {
  let forbidden: readonly SignedTransaction[];
  it('refuse its proposal for each transaction that the contracts forbid', async () => {
    const transfer = { to: accountOf(9), gas: 21_000n };
    forbidden = [
      modified().sign(STRANGER, transfer),
      modified().sign(PAYER, { data: '0x00' }),
      modified().sign(BANKER, transfer),
    ];
    for (const transaction of forbidden) {
      const block = await modified().propose([transaction]);
      for (const { chain } of honest())
        await expect(chain.ledger.checkProposal(block)).rejects.toThrow(
          `could not apply tx 0 [${transaction.hash}]: ${BARRED}`,
        );
    }
  });

  it('go on by round changes, without any of them in a block, whatever it proposes', async () => {
    const network = await new Validators().start();
    for (const transaction of forbidden) {
      await modified().chain.pool.add(transaction);
      for (const { chain } of honest())
        await expect(chain.pool.add(transaction)).rejects.toMatchObject({ message: BARRED });
    }
    // Twice the turn of A, which proposes them again, and a transaction that is allowed meanwhile.
    await until(async () => (await afterRoundChanges()).length >= 2);
    const allowed = modified().sign(ADMIN, { to: accountOf(9), gas: 21_000n });
    await honest()[0]?.chain.pool.add(allowed);
    for (const { chain } of ledgers)
      await until(async () => (await chain.ledger.findTransaction(allowed.hash)) !== undefined);
    await network.stop();

    expect(network.refusals.length).toBeGreaterThan(0);
    const height = Math.min(...ledgers.map(({ chain }) => chain.ledger.head().header.number));
    const common = await Promise.all(ledgers.map(({ chain }) => chain.ledger.findBlock(height)));
    expect(new Set(common.map((block) => block?.hash)).size).toBe(1);
    for (const { chain } of ledgers)
      for (const { hash } of forbidden) expect(await chain.ledger.findTransaction(hash)).toBeUndefined();
    const [first, ...others] = ledgers.map(({ records }) => contentOf(records));
    for (const other of others) expect(other).toEqual(first);
  });
});

/** Blocks that were not decided in the first round. */
async function afterRoundChanges(): Promise<readonly Block[]> {
  const { ledger } = (honest()[0] as PermissionedLedger).chain;
  const numbers = Array.from({ length: ledger.head().header.number }, (_, index) => index + 1);
  const blocks = await Promise.all(numbers.map((number) => ledger.findBlock(number)));
  return blocks
    .filter((block) => block !== undefined)
    .filter(({ header }) => decodeQbftExtraData(header.extraData).round > 0);
}

/** The validators' engines, each with every other in reach. */
class Validators {
  /** Why an honest validator refused a proposal for its transactions. */
  readonly refusals: string[] = [];
  private engines: readonly Consensus[] = [];
  private complete = (): void => undefined;
  private readonly whole = new Promise<void>((resolve) => (this.complete = resolve));

  async start(): Promise<this> {
    for (const [index, { chain }] of ledgers.entries())
      this.engines = [
        ...this.engines,
        await startConsensus({
          ...chain,
          records: chain.store.consensusRecords,
          clock: systemClock,
          metrics: silentMetrics,
          key: signingKeyOf(KEYS[index] as Uint8Array),
          blockPeriodMs: BLOCK_PERIOD_MS,
          isDatabaseUnavailable,
          neighbours: beginTogether(chain.ledger, VALIDATORS[index] as Address),
          logger: { ...silentLogger, warn: (_, values) => index > 0 && this.hear(values) },
          network: {
            broadcast: (message) => this.deliver(message, (other) => other !== index),
            send: (to, message) => this.deliver(message, (other) => VALIDATORS[other] === to),
          },
        }),
      ];
    this.complete();
    return this;
  }

  async stop(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.stop()));
  }

  /** Once all have started: these validators fetch no blocks, so one that missed a decision would stay behind. */
  private deliver(message: Uint8Array, isFor: (index: number) => boolean): void {
    void this.whole.then(() =>
      setImmediate(() =>
        this.engines.filter((_, index) => isFor(index)).forEach((to) => to.onMessage(message)),
      ),
    );
  }

  private hear(values: unknown): void {
    const { reason } = (values ?? {}) as { readonly reason?: string };
    if (reason?.includes(BARRED) === true) this.refusals.push(reason);
  }
}

function genesis(): object {
  return defaultGenesis({
    chainId: CHAIN_ID,
    engine: 'qbft',
    blockPeriodMs: BLOCK_PERIOD_MS,
    requestTimeoutSeconds: 1,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData(VALIDATORS)),
    balances: new Map(),
  });
}
