import { describe, expect, it } from '@jest/globals';
import type { RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

describe('executions', () => {
  it('run a call, with its overrides', async () => {
    const { abi, token, holder } = chain;
    const balanceOf = { to: token, data: abi.encodeFunctionData('balanceOf', [holder]) };
    expect(BigInt(await check<string>('eth_call', balanceOf, 'latest'))).toBe(1000n);
    expect(
      BigInt(await check<string>('eth_call', { ...balanceOf, input: balanceOf.data, data: undefined })),
    ).toBe(1000n);
    // Code that returns its own balance: SELFBALANCE, MSTORE at 0, RETURN 32 bytes.
    const overrides = { [holder]: { code: '0x4760005260206000f3', balance: '0x2a' } };
    expect(BigInt(await check<string>('eth_call', { to: holder }, 'latest', overrides))).toBe(42n);
  });

  it('return the bytes of a revert', async () => {
    const { abi, token, holder } = chain;
    const { error } = await node.call('eth_call', [
      { to: token, data: abi.encodeFunctionData('transfer', [holder, 1n]) },
      'latest',
    ]);
    expect(error).toMatchObject({ code: 3, message: 'execution reverted' });
    expect(abi.parseError(error?.data as string)?.name).toBe('InsufficientBalance');
  });

  it('stop an endless loop at its gas, and the node continues answering meanwhile', async () => {
    const loop = { [chain.holder]: { code: '0x5b600056' } };
    const endless = node.call('eth_call', [{ to: chain.holder, gas: '0x186a0' }, 'latest', loop]);
    expect(await node.result('eth_chainId')).toBe('0x539');
    expect((await endless).error).toMatchObject({ code: -32000, message: 'out of gas' });
  });

  it('estimate gas that is sufficient and not excessive', async () => {
    const { abi, token, holder, owner } = chain;
    expect(await check('eth_estimateGas', { from: owner, to: `0x${'cd'.repeat(20)}`, value: '0x1' })).toBe(
      '0x5208',
    );
    const transfer = { from: owner, to: token, data: abi.encodeFunctionData('transfer', [holder, 5n]) };
    const gas = await check<string>('eth_estimateGas', transfer);
    const exact = await node.mined(await node.result('eth_sendTransaction', [{ ...transfer, gas }]));
    expect(exact.status).toBe('0x1');
    const less = `0x${(Number(gas) - 1).toString(16)}`;
    expect(
      (await node.mined(await node.result('eth_sendTransaction', [{ ...transfer, gas: less }]))).status,
    ).toBe('0x0');
    const failing = {
      from: holder,
      to: token,
      data: abi.encodeFunctionData('transfer', [owner, 10n ** 20n]),
    };
    expect((await node.call('eth_estimateGas', [failing])).error).toMatchObject({ code: 3 });
  });

  it('use block overrides', async () => {
    const { holder } = chain;
    // MSTORE of the instruction's word at 0, RETURN of 32 bytes.
    const answer = (opcode: string) => ({ [holder]: { code: `0x${opcode}60005260206000f3` } });
    const seen = async (opcode: string, block: object) =>
      BigInt(await check<string>('eth_call', { to: holder }, 'latest', answer(opcode), block));
    expect(await seen('43', { number: '0xffff' })).toBe(0xffffn);
    expect(await seen('42', { time: '0x7fffffff' })).toBe(0x7fffffffn);
    expect(await seen('45', { gasLimit: '0x123456' })).toBe(0x123456n);
    expect(await seen('41', { feeRecipient: holder })).toBe(BigInt(holder));
    expect(await seen('41', { coinbase: holder })).toBe(BigInt(holder));
    expect(await seen('44', { prevRandao: MISSING })).toBe(BigInt(MISSING));
    expect(await seen('48', { baseFeePerGas: '0x7' })).toBe(7n);
    expect(await seen('4a', { blobBaseFee: '0x9' })).toBe(9n);
    const refused = await node.call('eth_call', [{ to: holder }, 'latest', {}, { heigth: '0x1' }]);
    expect(refused.error).toMatchObject({ code: -32602, data: { field: 'blockOverrides' } });
  });

  it('take the type of a transaction as clients write it', async () => {
    const { owner, holder } = chain;
    for (const type of [2, '0x02', '0x2', 0]) {
      const request = { from: owner, to: holder, value: '0x1', type };
      expect(await check('eth_estimateGas', request)).toBe('0x5208');
      expect(await check('eth_call', request)).toBe('0x');
      expect(await node.result('eth_fillTransaction', [request])).toMatchObject({
        tx: { type: `0x${Number(type)}` },
      });
    }
    expect((await node.call('eth_call', [{ to: holder, type: 3 }])).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('0, 1 or 2, as a number or in hex') as unknown,
    });
  });

  it('list the accounts and slots that they access', async () => {
    const { abi, token, holder, owner } = chain;
    const request = { from: owner, to: token, data: abi.encodeFunctionData('transfer', [holder, 5n]) };
    const { accessList } = await check<{ accessList: { address: string; storageKeys: string[] }[] }>(
      'eth_createAccessList',
      request,
    );
    expect(accessList).toMatchObject([{ address: token }]);
    expect(accessList[0]?.storageKeys).toHaveLength(2);
  });

  it('are traced step by step and call by call', async () => {
    const trace = await check<{ gas: number; failed: boolean; structLogs: { op: string }[] }>(
      'debug_traceTransaction',
      chain.transfer,
    );
    const { gasUsed } = await node.result<{ gasUsed: string }>('eth_getTransactionReceipt', [chain.transfer]);
    expect(trace).toMatchObject({ failed: false, gas: Number(gasUsed) });
    expect(trace.structLogs.map(({ op }) => op)).toEqual(expect.arrayContaining(['SLOAD', 'SSTORE', 'LOG3']));
    const frame = await check<Record<string, unknown>>('debug_traceTransaction', chain.failed, {
      tracer: 'callTracer',
    });
    expect(frame).toMatchObject({ type: 'CALL', to: chain.token, error: 'execution reverted' });
    expect((await node.call('debug_traceTransaction', [MISSING])).error).toMatchObject({
      code: -32000,
      message: 'transaction not found',
    });
  });
});
