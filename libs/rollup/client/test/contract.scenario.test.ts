import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publishedBatch } from '@tetrad/rollup-chain';
import { SizedProvers } from '@tetrad/rollup-circuits';
import {
  encodeWord,
  inboundMoneyOrder,
  multiplyGenerator,
  totalIndex,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import {
  MemoryState,
  applyBatch,
  emptyStateRoot,
  type AccountEvent,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { loadToken } from '@tetrad/testkit';
import { hashFromBytes, type Address } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { describeWithAnvil, startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import { deployStatedRollup, statedProof } from '../../chain/test/stated-proofs.js';
import {
  DepositTooLowError,
  ProofError,
  RollupContract,
  StateRoots,
  acceptedBatch,
  acceptedBatches,
  allowance,
  approve,
  checkAccountProof,
  checkMoneyOrderProof,
  confirmAccount,
  confirmMoneyOrder,
  connectEthereum,
  deriveRollupKeys,
  jointKeyOf,
  rebuildPublicState,
  recoverAccount,
  requestTransfer,
  signAccountCreation,
  signMoneyOrder,
  signOutboundTransfer,
  signRedemption,
  type EthereumClient,
} from '../src/index.js';
import { accountView, orderProof } from './account-view.js';
import { LimitedClient } from './limited-client.js';

const UNIT = 1_000_000_000n;
const TOKEN_UNIT = 1000n;
const MIN_DEPOSIT = 5n;
const alice = deriveRollupKeys(Buffer.alloc(32, 0xa1));
const bob = deriveRollupKeys(Buffer.alloc(32, 0xb0));
const operatorKey = multiplyGenerator(99n);

describeWithAnvil('a client of the rollup contract', () => {
  let chain: TestChain;
  let client: EthereumClient;
  let contract: RollupContract;
  let token: Address;
  const provers = new SizedProvers();
  const state = new MemoryState();
  const range = async () => ({ fromBlock: 0, toBlock: await client.blockNumber() });

  beforeAll(async () => {
    chain = await startChain();
    const [operator] = chain.accounts as [Address];
    const address = await deployStatedRollup(chain.create, {
      operator,
      operatorKey,
      stallTimeoutSeconds: 3600,
      etherUnit: UNIT,
      sizes: [2],
      minDeposit: MIN_DEPOSIT,
    });
    client = connectEthereum(chain.url);
    contract = await RollupContract.open(client, address);
    for (const { address: owner } of [alice, bob])
      await chain.ask('anvil_setBalance', [owner, `0x${(10n ** 20n).toString(16)}`]);
    const values = AbiCoder.defaultAbiCoder().encode(['string', 'string', 'uint256'], ['C', 'C', 10n ** 24n]);
    token = await chain.create((await loadToken()).bytecode + values.slice(2));
    const data = contract.codec.encodeCall('addToken', [token, TOKEN_UNIT]);
    await chain.send({ from: operator, to: address, data });
    const transfer = AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [bob.address, 10n ** 12n]);
    await chain.send({ from: operator, to: token, data: `0xa9059cbb${transfer.slice(2)}` });
  });

  afterAll(async () => {
    await client?.close();
    await provers.close();
    await chain?.stop();
  });

  /**
   * What an operator does with them; the circuit is executed, and its public inputs stated in place of a proof.
   * @returns height of the batch
   */
  const settle = async (...operations: RollupOperation[]): Promise<number> => {
    const plan = { ...state.next, domain: contract.domain, size: 2 };
    const batch = applyBatch(state, plan, operations);
    expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
    const { proof } = await statedProof(provers, batch.witness);
    const published = publishedBatch(batch.publicInputs, batch.ciphertexts);
    const data = contract.codec.encodeSubmitBatch(published, proof);
    await chain.send({ from: chain.accounts[0] as Address, to: contract.address, data });
    state.commit(batch);
    return plan.height;
  };
  const create = (keys: typeof alice, accountId: number): RollupOperation => {
    const { operation, signature } = signAccountCreation(contract, keys);
    return { ...operation, signature, accountId };
  };
  const pay = (from: typeof alice, ids: readonly [number, number], amount: bigint, nonce: number) => {
    const to = ids[1] === 1 ? alice : bob;
    const { operation, signature } = signMoneyOrder(contract, from, {
      fromAccountId: ids[0],
      toAccountId: ids[1],
      toJointKey: jointKeyOf(to, operatorKey),
      // The second attempt, as after an order that was replaced.
      tokenId: ids[0] - 1,
      amount,
      nonce,
      attempt: 1,
    });
    return { ...operation, signature };
  };
  const redeem = (keys: typeof alice, order: MoneyOrder, index: number, nonce: number): RollupOperation => {
    const { operation, signature } = signRedemption(contract, keys, { order, totalIndex: index, nonce });
    return { ...operation, signature };
  };

  it('knows the rollup that it talks to, and refuses other contracts and accounts', async () => {
    expect(contract.operatorKey).toEqual(operatorKey);
    expect(await contract.state()).toEqual({ height: 0, stateRoot: emptyStateRoot() });
    expect(await contract.token(0)).toMatchObject({ unit: UNIT });
    expect(await contract.token(1)).toEqual({ id: 1, address: token, unit: TOKEN_UNIT });
    await expect(contract.token(2)).rejects.toThrow('token 2 is unknown: the rollup has 2, from 0');
    await expect(RollupContract.open(client, token)).rejects.toThrow(/no rollup at|reverted/);
    await expect(RollupContract.open(client, alice.address)).rejects.toThrow('no rollup contract at');
    expect((await rebuildPublicState(contract, await range())).isSame).toBe(true);
  });

  it('deposits ether and tokens with its own key, and says why the contract refuses', async () => {
    const ether = { accountId: 1, amount: 1000n };
    await expect(contract.depositEther(ether, { key: alice.ethereumKey })).rejects.toThrow(
      'the rollup contract rejects it: UnknownAccount',
    );
    await settle(create(alice, 1), create(bob, 2));
    const sent: string[] = [];
    await expect(
      contract.depositEther(
        { accountId: 1, amount: 4n },
        { key: alice.ethereumKey, onSent: (hash) => sent.push(hash) },
      ),
    ).rejects.toThrow(new DepositTooLowError(4n, MIN_DEPOSIT).message);
    expect(sent).toEqual([]);
    const { status } = await contract.depositEther(ether, {
      key: alice.ethereumKey,
      onSent: (hash) => sent.push(hash),
    });
    expect([status, sent.length]).toEqual([1, 1]);
    const tokens = { accountId: 2, tokenId: 1, amount: 700n };
    const withKey = { key: bob.ethereumKey };
    await expect(contract.depositToken(tokens, withKey)).rejects.toThrow('TransferFailed');
    const grant = { token, spender: contract.address, amount: 700n * TOKEN_UNIT };
    await approve(client, grant, withKey);
    expect(await allowance(client, { token, owner: bob.address, spender: contract.address })).toBe(
      grant.amount,
    );
    await contract.depositToken(tokens, withKey);
    expect(await allowance(client, { token, owner: bob.address, spender: contract.address })).toBe(0n);
    await settle(
      { kind: 'inboundTransfer', index: 0, ...ether, tokenId: 0 },
      { kind: 'inboundTransfer', index: 1, ...tokens },
    );
  });

  it('makes operations that circuit and contract take, and proofs of them that the contract confirms', async () => {
    // It has read the events up to here, and reads on from there.
    const early = new StateRoots(contract, 0);
    expect(await early.heightOf(5n)).toBeUndefined();
    const [first, second] = [
      inboundMoneyOrder({ index: 0, accountId: 1, tokenId: 0, amount: 1000n }),
      inboundMoneyOrder({ index: 1, accountId: 2, tokenId: 1, amount: 700n }),
    ];
    await settle(redeem(alice, first, totalIndex(2, 0), 1), redeem(bob, second, totalIndex(2, 1), 1));
    const paid = pay(alice, [1, 2], 400n, 2);
    const height = await settle(paid, pay(bob, [2, 1], 7n, 2));
    const view = {
      moneyOrder: { ...paid.order, blindingFactor: encodeWord(paid.order.blindingFactor) },
      moneyOrderTotalIndex: totalIndex(height, 0),
    };
    for (const isWhole of [false, true]) {
      const proved = checkMoneyOrderProof({
        ...view,
        merkleProof: orderProof(state, { height, index: 0 }, isWhole),
      });
      expect(proved.stateRoot).toBe(isWhole ? (await contract.state()).stateRoot : undefined);
      await confirmMoneyOrder(contract, proved, { fromBlock: 0 });
      const account = checkAccountProof(accountView(state, 1, isWhole));
      expect(await confirmAccount(contract, account, early)).toBe(height);
      expect(account.account).toEqual(state.account(1));
      expect(await confirmAccount(contract, account, new StateRoots(contract, 0))).toBe(height);
    }
  });

  it('believes no proof that is not the contract’s', async () => {
    const roots = new StateRoots(contract, 0);
    const checkAccount = async (change: Partial<ReturnType<typeof accountView>>, isWhole = true) =>
      confirmAccount(contract, checkAccountProof({ ...accountView(state, 1, isWhole), ...change }), roots);
    const proof = accountView(state, 1, true).merkleProof;
    const other = hashFromBytes(encodeWord(5n));
    for (const index of [0, 27, 28])
      await expect(
        checkAccount({ merkleProof: proof.map((one, at) => (at === index ? other : one)) }),
      ).rejects.toThrow('the contract had no recent root');
    await expect(checkAccount({ merkleProof: [other, ...proof.slice(1, 28)] })).rejects.toThrow(
      'the contract had no recent root',
    );
    await expect(checkAccount({ balances: new Map([[0, 2000n]]) })).rejects.toThrow(
      'does not match its fields',
    );
    await expect(checkAccount({ nonce: 1 })).rejects.toThrow(ProofError);
    for (const consent of [null, other])
      await expect(checkAccount({ consent })).rejects.toThrow('does not match its fields');
    await expect(checkAccount({ id: 2 })).rejects.toThrow(ProofError);
    await expect(checkAccount({ merkleProof: proof.slice(1, 28) })).rejects.toThrow('has 27 hashes');
    const tooLarge = hashFromBytes(new Uint8Array(32).fill(0xff));
    await expect(checkAccount({ merkleProof: [tooLarge, ...proof.slice(1)] })).rejects.toThrow(
      'has an invalid hash',
    );
    await expect(checkAccount({ publicKey: new Uint8Array(64).fill(1) })).rejects.toThrow('malformed');

    const order = {
      fromAccountId: 1,
      toAccountId: 2,
      tokenId: 0,
      amount: 401n,
      blindingFactor: encodeWord(1n),
    };
    const forged = checkMoneyOrderProof({
      moneyOrder: order,
      moneyOrderTotalIndex: totalIndex(4, 0),
      merkleProof: orderProof(state, { height: 4, index: 0 }, false),
    });
    await expect(confirmMoneyOrder(contract, forged, { fromBlock: 0 })).rejects.toThrow(
      'not among those of batch 4',
    );
    await expect(
      confirmMoneyOrder(contract, { ...forged, batchHeight: 9 }, { fromBlock: 0 }),
    ).rejects.toThrow('the contract has no batch 9');
  });

  it('finds the whole history of an account in the events, and the public state with it', async () => {
    const transfer = { fromAccountId: 1, toEthereumAddress: bob.address, tokenId: 0, amount: 30n, nonce: 3 };
    const { operation, signature } = signOutboundTransfer(contract, alice, transfer);
    const before = await chain.ask<string>('eth_getBalance', [bob.address, 'latest']);
    await settle({ ...operation, signature });
    const after = await chain.ask<string>('eth_getBalance', [bob.address, 'latest']);
    expect(BigInt(after) - BigInt(before)).toBe(30n * UNIT);

    const events: AccountEvent[] = [];
    const onEvent = (event: AccountEvent) => events.push(event);
    const recovery = await recoverAccount(contract, alice, { ...(await range()), onEvent });
    expect(recovery.own).toEqual(state.account(1));
    expect(events.map(({ kind, totalIndex: at }) => [kind, at])).toEqual([
      ['created', totalIndex(1, 0)],
      ['received', totalIndex(2, 0)],
      ['redeemed', totalIndex(3, 0)],
      ['sent', totalIndex(4, 0)],
      ['received', totalIndex(4, 1)],
      ['withdrawn', totalIndex(5, 0)],
    ]);
    expect(events[5]).toMatchObject({ toEthereumAddress: bob.address, amount: 30n });
    expect(recovery.openOrders.map(({ order }) => order.amount)).toEqual([7n]);

    const rebuilt = await rebuildPublicState(contract, await range());
    expect(rebuilt.isSame).toBe(true);
    expect([rebuilt.roots.height, rebuilt.roots.accountCount]).toEqual([5, 2]);
    // As of an earlier block it is the state of then.
    const batch = await acceptedBatch(contract, { ...(await range()), height: 3 });
    const earlier = await rebuildPublicState(contract, { fromBlock: 0, toBlock: batch.blockNumber });
    expect([earlier.isSame, earlier.roots.height]).toEqual([true, 3]);
    // The state cannot be rebuilt without the first batches.
    const late = { fromBlock: batch.blockNumber, toBlock: (await range()).toBlock };
    await expect(rebuildPublicState(contract, late)).rejects.toThrow('batch 1 is next, not 3');
  });

  it('asks for a transfer on the chain when the operator does not make it', async () => {
    const transfer = { toEthereumAddress: bob.address, tokenId: 0, amount: 40n };
    const withKey = { key: alice.ethereumKey };
    await requestTransfer(contract, alice, { transfer, fromBlock: 0 }, withKey);
    expect(await contract.read('overdueAt', [1])).not.toBe(0n);
    await expect(requestTransfer(contract, alice, { transfer, fromBlock: 0 }, withKey)).rejects.toThrow(
      'AlreadyRequested',
    );
    const more = { ...transfer, amount: 10n ** 9n };
    await expect(requestTransfer(contract, alice, { transfer: more, fromBlock: 0 }, withKey)).rejects.toThrow(
      /^amount: the account holds \d+ units of token 0, not 1000000000$/,
    );
    const none = deriveRollupKeys(Buffer.alloc(32, 0xcc));
    await expect(requestTransfer(contract, none, { transfer, fromBlock: 0 }, withKey)).rejects.toThrow(
      'no account of these keys',
    );
  });

  describe('behind a client with limits', () => {
    let limited: Awaited<ReturnType<typeof LimitedClient.open>>;
    beforeAll(async () => {
      limited = await LimitedClient.open(chain);
    });
    afterAll(() => limited?.close());

    it('asks for smaller pages until it gets them, and misses no batch', async () => {
      const narrow = await RollupContract.open(limited.client, contract.address);
      limited.limits.asked.length = 0;
      const heights: number[] = [];
      for await (const { height } of acceptedBatches(narrow, await range())) heights.push(height);
      expect(heights).toEqual([1, 2, 3, 4, 5]);
      const { toBlock } = await range();
      const given = limited.limits.asked.filter((page) => page.toBlock - page.fromBlock < 3);
      // Without a gap or a block twice.
      expect(given[0]?.fromBlock).toBe(0);
      expect(given.at(-1)?.toBlock).toBe(toBlock);
      given.slice(1).forEach((page, index) => expect(page.fromBlock).toBe((given[index]?.toBlock ?? 0) + 1));
      expect((await rebuildPublicState(narrow, await range())).isSame).toBe(true);
    });

    it('takes no events of another contract, and notices those that are left out', async () => {
      const narrow = await RollupContract.open(limited.client, contract.address);
      limited.limits.change = (logs) =>
        Array.isArray(logs) ? logs.map((log) => ({ ...log, address: token })) : logs;
      await expect(rebuildPublicState(narrow, await range())).rejects.toThrow(
        'events that were not requested',
      );
      limited.limits.change = (logs) =>
        Array.isArray(logs) ? logs.filter(({ topics }) => BigInt(topics[1] ?? 0) !== 5n) : logs;
      expect((await rebuildPublicState(narrow, await range())).isSame).toBe(false);
      await expect(recoverAccount(narrow, alice, await range())).rejects.toThrow(
        'the events end with batch 4, the contract is at batch 5',
      );
      limited.limits.change = (logs) => (Array.isArray(logs) ? [...logs].reverse() : logs);
      expect((await rebuildPublicState(narrow, await range())).isSame).toBe(true);
      limited.limits.change = (logs) => logs;
    });
  });
});
