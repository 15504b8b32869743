import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  bytesFromHex,
  hexFromBytes,
  parseAddress,
  type Address,
  type SignedTransaction,
} from '@tetrad/types';
import { getCreateAddress } from 'ethers/address';
import { findAccount, readCode } from '../state/read-account.js';
import { CHAIN_ID, Chain, OWNER, transfer } from '../testing/chain.js';
import { InvalidTransactionError, type InvalidTransactionCode } from '@tetrad/node-evm';

const STRANGER = parseAddress(`0x${'5a'.repeat(20)}`);
/** Runtime code of so many zero bytes: PUSH2 size, PUSH0, RETURN. */
const deploys = (size: number) => bytesFromHex(`0x61${size.toString(16).padStart(4, '0')}5ff3`);
/** 0xfe: an invalid opcode takes all gas. */
const BROKEN = parseAddress(`0x${'fe'.repeat(20)}`);

describe('executeTransaction', () => {
  let chain: Chain;

  beforeEach(async () => {
    chain = await Chain.start({ alloc: { [BROKEN]: { code: '0xfe' } } });
  });

  it('moves value, and neither charges nor credits gas at price 0', async () => {
    const effects = await chain.run(transfer({ to: STRANGER, value: 7n }));
    expect(effects).toEqual({ status: 1, gasUsed: 21_000n, logs: [], returnData: new Uint8Array(0) });
    expect(await findAccount(chain.world, STRANGER)).toMatchObject({ balance: 7n });
    expect(await findAccount(chain.world, OWNER.address)).toMatchObject({
      nonce: 1n,
      balance: OWNER.balance - 7n,
    });
    expect(await findAccount(chain.world, chain.proposer)).toBeUndefined();
  });

  it('charges a gas price and credits the proposer', async () => {
    await chain.run(transfer({ to: STRANGER, value: 0n, gasPrice: 3n }));
    expect(await findAccount(chain.world, chain.proposer)).toMatchObject({ balance: 63_000n });
    expect(await findAccount(chain.world, OWNER.address)).toMatchObject({ balance: OWNER.balance - 63_000n });
  });

  it('derives the address of a contract from sender and nonce', async () => {
    const effects = await chain.run(transfer({ data: deploys(3), gasLimit: 200_000n }));
    const expected = getCreateAddress({ from: OWNER.address, nonce: 0 }).toLowerCase();
    expect(effects).toMatchObject({ status: 1, contractAddress: expected });
    expect(await readCode(chain.world, expected as Address)).toHaveLength(3);
  });

  it('includes the address of a creation that failed', async () => {
    const effects = await chain.run(transfer({ data: Uint8Array.of(0xfe), gasLimit: 100_000n }));
    expect(effects).toMatchObject({ status: 0, gasUsed: 100_000n, failure: 'invalid opcode: INVALID' });
    expect(effects.contractAddress).toBe(getCreateAddress({ from: OWNER.address, nonce: 0 }).toLowerCase());
  });

  it('keeps only the nonce and the fee of a transaction that fails', async () => {
    const effects = await chain.run(transfer({ to: BROKEN, value: 5n, gasLimit: 50_000n, gasPrice: 1n }));
    expect(effects).toMatchObject({ status: 0, gasUsed: 50_000n });
    expect(await findAccount(chain.world, OWNER.address)).toMatchObject({
      nonce: 1n,
      balance: OWNER.balance - 50_000n,
    });
    expect(await findAccount(chain.world, BROKEN)).toMatchObject({ balance: 0n });
  });

  it('gives the same effects and root from the raw bytes on another node', async () => {
    const other = await Chain.start({ alloc: { [BROKEN]: { code: '0xfe' } } });
    for (const nonce of [0n, 1n]) {
      const request = transfer({ nonce, data: deploys(1), gasLimit: 200_000n });
      expect(await other.run(request)).toEqual(await chain.run(request));
    }
    expect((await other.world.commitBlock()).stateRoot).toBe((await chain.world.commitBlock()).stateRoot);
  });

  it('has the same effects on a node with empty caches', async () => {
    const { stateRoot: parent } = await chain.world.commitBlock();
    const cold = await chain.memory.reopened().openWorld(parent);
    const requests = [0n, 1n].map((nonce) => transfer({ nonce, data: deploys(2), gasLimit: 200_000n }));
    requests.push(transfer({ nonce: 2n, to: BROKEN, value: 5n, gasLimit: 50_000n, gasPrice: 1n }));
    for (const request of requests)
      expect(await chain.executor.executeTransaction(chain.block, request, cold)).toEqual(
        await chain.run(request),
      );
    expect((await cold.commitBlock()).stateRoot).toBe((await chain.world.commitBlock()).stateRoot);
  });

  it('makes no further reads for transactions whose data was prefetched', async () => {
    const { stateRoot } = await chain.world.commitBlock();
    const { block, executor, memory } = chain;
    const cold = await memory.reopened().openWorld(stateRoot);
    const requests = [
      transfer({ to: STRANGER, value: 1n }),
      transfer({ nonce: 1n, to: BROKEN, gasLimit: 50_000n }),
    ];
    await executor.prefetch(block, requests, cold);
    memory.reads = 0;
    for (const request of requests) await executor.executeTransaction(block, request, cold);
    expect(memory.reads).toBe(0);
  });

  const contractSender = { sender: BROKEN, nonce: 0n };
  it.each<[InvalidTransactionCode, string, Partial<SignedTransaction> & object]>([
    ['NONCE_TOO_HIGH', 'nonce too high', transfer({ nonce: 1n })],
    [
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value',
      transfer({ value: OWNER.balance + 1n }),
    ],
    [
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value',
      transfer({ gasPrice: OWNER.balance }),
    ],
    [
      'INTRINSIC_GAS_TOO_LOW',
      'intrinsic gas too low: gas 20999, minimum needed 21000',
      transfer({ gasLimit: 20_999n }),
    ],
    [
      'INTRINSIC_GAS_TOO_LOW',
      'intrinsic gas too low: gas 53000',
      transfer({ to: undefined, gasLimit: 53_000n, data: deploys(1) }),
    ],
    // EIP-7623: 100 non-zero bytes are 400 tokens of 10 gas.
    [
      'INTRINSIC_GAS_TOO_LOW',
      'minimum needed 25000',
      transfer({ to: STRANGER, gasLimit: 24_999n, data: new Uint8Array(100).fill(1) }),
    ],
    ['GAS_LIMIT_EXCEEDED', 'exceeds block gas limit', transfer({ to: STRANGER, gasLimit: 16_000_001n })],
    [
      'GAS_LIMIT_EXCEEDED',
      'transaction gas limit too high (cap: 16777216, tx: 16777217)',
      transfer({ gasLimit: 16_777_217n }),
    ],
    [
      'INIT_CODE_TOO_LARGE',
      'max initcode size exceeded: code size 49153, limit 49152',
      transfer({ to: undefined, gasLimit: 3_000_000n, data: new Uint8Array(49_153) }),
    ],
    ['SENDER_NOT_EOA', 'sender not an eoa', { ...transfer({ to: STRANGER }), ...contractSender }],
  ])('refuses with %s (%s), the world untouched', async (reason, message, transaction) => {
    const before = (await chain.world.commitBlock()).stateRoot;
    const attempt = chain.run(transaction as SignedTransaction);
    await expect(attempt).rejects.toThrow(InvalidTransactionError);
    await expect(attempt).rejects.toMatchObject({ code: reason, message: expect.stringContaining(message) });
    expect((await chain.world.commitBlock()).stateRoot).toBe(before);
  });

  it('refuses a nonce that was used', async () => {
    await chain.run(transfer({ to: STRANGER }));
    await expect(chain.run(transfer({ to: STRANGER }))).rejects.toMatchObject({ code: 'NONCE_TOO_LOW' });
  });

  it('refuses a fee cap below the base fee', async () => {
    chain.block = { ...chain.block, baseFeePerGas: 2n };
    await expect(chain.run(transfer({ gasPrice: 1n }))).rejects.toMatchObject({ code: 'FEE_CAP_TOO_LOW' });
  });

  it('refuses typed transactions before their fork', async () => {
    const old = await Chain.start({ fork: 'istanbul' });
    const typed: SignedTransaction = {
      ...transfer({ to: STRANGER }),
      type: 'accessList',
      gasPrice: 0n,
      accessList: [],
    };
    await expect(old.run(typed)).rejects.toMatchObject({ code: 'TRANSACTION_TYPE_NOT_SUPPORTED' });
  });

  it.each([
    [Infinity, 16_777_217n],
    [20_000_000, 20_000_000n],
  ])('lets the genesis file replace the gas limit of a transaction: %d', async (maxTransactionGas, most) => {
    const open = await Chain.start({ limits: [{ block: 0, maxTransactionGas }] });
    open.block = { ...open.block, gasLimit: 300_000_000n };
    const { status } = await open.run(transfer({ to: STRANGER, gasLimit: most }));
    expect(status).toBe(1);
    const all = transfer({ to: STRANGER, nonce: 1n, gasLimit: 300_000_000n });
    if (maxTransactionGas === Infinity) expect(await open.run(all)).toMatchObject({ status: 1 });
    else await expect(open.run(all)).rejects.toMatchObject({ code: 'GAS_LIMIT_EXCEEDED' });
  });

  it('deploys code up to the size that the genesis allows, and no larger', async () => {
    const standard = await chain.run(transfer({ data: deploys(24_577), gasLimit: 10_000_000n }));
    expect(standard).toMatchObject({ status: 0 });
    const large = await Chain.start({ maxCodeSize: 32 * 1024 });
    const most = await large.run(transfer({ data: deploys(32_768), gasLimit: 10_000_000n }));
    expect(most.status).toBe(1);
    const more = await large.run(transfer({ nonce: 1n, data: deploys(32_769), gasLimit: 10_000_000n }));
    expect(more.status).toBe(0);
  });

  it('deploys code up to the size limit at the block', async () => {
    const growing = await Chain.start({ limits: [{ block: 2, maxCodeSize: 32 * 1024 }] });
    const before = await growing.run(transfer({ data: deploys(24_577), gasLimit: 10_000_000n }));
    expect(before.status).toBe(0);
    growing.block = { ...growing.block, number: 2 };
    const after = await growing.run(transfer({ nonce: 1n, data: deploys(32_768), gasLimit: 10_000_000n }));
    expect(after.status).toBe(1);
  });

  it('refuses a gas price from the block on where gas is free, and accepts one from the block on where it is not', async () => {
    const free = await Chain.start({
      limits: [
        { block: 0, isGasFree: true },
        { block: 2, isGasFree: false },
      ],
    });
    const priced: SignedTransaction = { ...transfer({ to: STRANGER }), type: 'legacy', gasPrice: 1n };
    await expect(free.run(priced)).rejects.toMatchObject({
      code: 'GAS_PRICE_NOT_ZERO',
      message: 'Gas price not 0',
    });
    free.block = { ...free.block, number: 2 };
    expect((await free.run(priced)).status).toBe(1);
  });

  it('answers BLOCKHASH, COINBASE, CHAINID and PREVRANDAO from the block', async () => {
    // Stores each in a slot: NUMBER-1 BLOCKHASH, COINBASE, CHAINID, PREVRANDAO.
    const probe = parseAddress(`0x${'b1'.repeat(20)}`);
    const probing = await Chain.start({
      alloc: { [probe]: { code: '0x60014303405f5541600155466002554460035500' } },
    });
    await probing.run(transfer({ to: probe, gasLimit: 200_000n }));
    const slots = await probing.slots(probe, 4);
    expect(slots).toEqual([
      probing.blockHash,
      `0x${probing.proposer.slice(2).padStart(64, '0')}`,
      `0x${CHAIN_ID.toString(16).padStart(64, '0')}`,
      probing.block.mixHash,
    ]);
    expect(hexFromBytes(await readCode(probing.world, probe))).toMatch(/^0x60/);
  });
});
