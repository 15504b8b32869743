import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import {
  recordedBlocks,
  recording,
  type RecordedReceipt,
  type Step,
} from '../../../../../libs/node/privacy/private-state/test/recorded-chain.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { batch, followerMetrics, startOnRecordedChain } from './recorded-node.js';
import { startRecordedManager, type RecordedManagerServer } from './recorded-manager-server.js';

/** value() */
const VALUE = '0x3fa4f245';

const block = ({ block: number }: Step) => number as string;

describe.each([
  ['private', 0],
  ['private', 2],
  ['marker', 1],
] as const)('the recorded chain “%s”, read over HTTP at node %i', (name, index) => {
  const { steps, blocks: recorded } = recording(name);
  const mined = steps.filter((step) => step.hash !== undefined);
  const ofPrivate = mined.filter((step) => step.manager !== undefined);
  const contracts = steps.filter((step) => step.address !== undefined);
  let manager: RecordedManagerServer;
  let node: RunningNode;
  beforeAll(async () => {
    manager = await startRecordedManager(steps, index);
    node = await startOnRecordedChain(name, await recordedBlocks(name), ['--ptm-url', manager.url]);
  });
  afterAll(async () => {
    await node?.stop();
    await manager?.close();
  });
  const isParty = ({ manager: asked, innerManager }: Step) =>
    asked?.[index]?.status === 200 && (innerManager === undefined || innerManager[index]?.status === 200);

  it('has the private state root of every block', async () => {
    const roots = await batch(
      node,
      recorded.map(({ number }) => ['debug_privateStateRoot', [number]]),
    );
    expect(roots).toEqual(recorded.map(({ privateRoots }) => privateRoots[index]));
  });

  it('has the receipts', async () => {
    for (const { name: step, hash, receipts } of mined) {
      const theirs = receipts?.[index] as unknown as Record<string, unknown>;
      const own = await node.result<Record<string, unknown>>('eth_getTransactionReceipt', [hash]);
      for (const key of Object.keys(theirs).filter((one) => one !== 'logs'))
        expect([step, key, own[key]]).toEqual([step, key, theirs[key]]);
      expect([step, own['logs']]).toMatchObject([step, theirs['logs']]);
      const [inBlock] = await node.result<unknown[]>('eth_getBlockReceipts', [own['blockNumber']]);
      expect(inBlock).toEqual(own);
    }
  });

  it('has the transactions behind markers, and no others', async () => {
    for (const step of mined) {
      const theirs = step.private?.[index];
      const { result: transaction } = theirs?.byHash ?? {};
      const own = await node.result<Record<string, unknown> | null>('eth_getPrivateTransactionByHash', [
        step.hash,
      ]);
      if (name === 'marker' && transaction) expect(transaction).toMatchObject(own ?? {});
      else expect(own).toBeNull();
      const receipt = theirs?.receipt.result as
        (RecordedReceipt & Record<string, unknown>) | null | undefined;
      const ownReceipt = await node.result('eth_getPrivateTransactionReceipt', [step.hash]);
      if (name !== 'marker' || !receipt) expect(ownReceipt).toBeNull();
      else expect(ownReceipt).toMatchObject(omitType(receipt));
    }
  });

  it('reads contracts as a party and as an outsider', async () => {
    for (const step of contracts) {
      const at = [step.address, block(step)];
      const theirs = step.storageRoot?.[index];
      const root = await node.call('eth_storageRoot', at);
      expect([step.name, root.result, root.error?.message]).toEqual([
        step.name,
        theirs?.result,
        theirs?.error?.message,
      ]);
      const code = await node.result<string>('eth_getCode', at);
      expect([step.name, code.length / 2 - 1]).toEqual([step.name, step.codeLength?.[index]]);
      const dump = await node.call('debug_dumpAddress', at);
      if (theirs?.error === undefined)
        expect(dump.result).toMatchObject({ root: theirs?.result?.slice(2), code: code.slice(2) });
      else expect(reasonOf(dump)).toBe('STATE_OBJECT_NOT_FOUND');
    }
  });

  it('has the privacy metadata of contracts', async () => {
    for (const { name: step, address, metadata } of contracts) {
      const { result, error } = metadata?.[index] ?? {};
      const own = await node.call('eth_getContractPrivacyMetadata', [address]);
      expect([step, own.error?.message]).toEqual([step, error?.message.replace(/^0x\w+/, address as string)]);
      if (result === undefined) continue;
      const creationTxHash = `0x${Buffer.from(result.creationTxHash, 'base64').toString('hex')}`;
      expect(own.result).toEqual({ creationTxHash, privacyFlag: result.privacyFlag, mandatoryFor: [] });
    }
  });

  it('calls contracts with the recorded values', async () => {
    for (const step of mined.filter(({ values }) => values !== undefined)) {
      const { to } = step.args as { to: string };
      const recordedValue = step.values?.[index]?.result as string;
      // The steps with a factory read the address of what it made.
      if (step.name.includes('factory')) continue;
      expect([step.name, await node.result('eth_call', [{ to, data: VALUE }, block(step)])]).toEqual([
        step.name,
        recordedValue,
      ]);
    }
  });

  it('returns payloads to parties only', async () => {
    for (const { transaction, payloads, name: step } of ofPrivate) {
      const own = await node.result('eth_getChainPayload', [transaction?.input]);
      expect([step, own]).toEqual([step, payloads?.[index]?.result]);
    }
  });

  it('finds the logs of all receipts, private ones among them', async () => {
    const all: unknown[] = [];
    for (const { hash, private: own } of mined) {
      const { logs } = await node.result<{ logs: unknown[] }>('eth_getTransactionReceipt', [hash]);
      const behind = await node.result<{ logs: unknown[] } | null>('eth_getPrivateTransactionReceipt', [
        hash,
      ]);
      expect(own).toBeDefined();
      all.push(...logs, ...(behind?.logs ?? []));
    }
    const found = await node.result<unknown[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]);
    expect(found).toEqual(all);
    expect(ofPrivate.some(isParty)).toBe(true);
    expect(all.length).toBeGreaterThan(3);
  });

  it('traces private transactions as a party and as an outsider', async () => {
    const step = ofPrivate.find(({ values }) => values !== undefined) as Step;
    const input = name === 'private' ? step.args?.['data'] : step.transaction?.input;
    const trace = await node.result<{ structLogs: unknown[]; failed: boolean }>('debug_traceTransaction', [
      step.hash,
    ]);
    expect([trace.structLogs.length > 0, trace.failed]).toEqual([name === 'private' && isParty(step), false]);
    const [inBlock] = await node.result<{ result: unknown }[]>('debug_traceBlockByNumber', [block(step)]);
    expect(inBlock?.result).toEqual(trace);
    const calls = await node.result('debug_traceTransaction', [step.hash, { tracer: 'callTracer' }]);
    expect(calls).toMatchObject({ input: isParty(step) ? input : step.transaction?.input });
  });

  it('refuses malformed digests, and returns nothing for unknown ones', async () => {
    const digest = ofPrivate[0]?.transaction?.input as string;
    expect(await node.result('eth_getChainPayload', [digest.slice(2)])).toBe(
      await node.result('eth_getChainPayload', [digest]),
    );
    expect(await node.result('eth_getChainPayload', [`0x${'00'.repeat(64)}`])).toBe('0x');
    for (const [text, message] of [
      ['0x', 'Invalid digest hex'],
      ['0xzz', 'Invalid digest hex'],
      [`0x${'12'.repeat(32)}`, 'Expected a digest of length 64, but got 32'],
      ['12'.repeat(2_000), 'Expected a digest of length 64, but got 2000'],
    ])
      expect((await node.call('eth_getChainPayload', [text])).error).toMatchObject({
        message,
        data: { reason: 'INVALID_DIGEST' },
      });
    const unknown = `0x${'12'.repeat(32)}`;
    expect(await node.result('eth_getPrivateTransactionByHash', [unknown])).toBeNull();
    expect((await node.call('eth_getPrivateTransactionReceipt', [unknown])).error).toMatchObject({
      message: 'privacy marker transaction not found',
      data: { reason: 'MARKER_TRANSACTION_NOT_FOUND' },
    });
    expect(reasonOf(await node.call('debug_privateStateRoot', ['0xffffff']))).toBe('BLOCK_NOT_FOUND');
    for (const [method, field] of [
      ['eth_getContractPrivacyMetadata', 'address'],
      ['eth_getPrivateTransactionByHash', 'hash'],
      ['eth_getPrivateTransactionReceipt', 'hash'],
      ['debug_privateStateRoot', 'blockNumber'],
    ] as const)
      expect((await node.call(method, ['0x12z'])).error).toMatchObject({ code: -32602, data: { field } });
    expect(await node.result('eth_getPrivacyPrecompileAddress')).toBe(`0x${'00'.repeat(19)}7a`);
  });

  it('is ready, and reports the height of private state', async () => {
    await until(async () => (await fetch(`${node.opsUrl}/readyz`)).ok);
    const head = Number(await node.result('eth_blockNumber'));
    await node.result('debug_privateStateRoot', ['latest']);
    expect(await followerMetrics(node)).toEqual([
      `node_follower_block_number{follower="private state"} ${head}`,
      'node_follower_lag_blocks{follower="private state"} 0',
      'node_follower_paused{follower="private state"} 0',
    ]);
  });
});

/** Private receipts of ours have no type: it is always that of a legacy transaction. */
function omitType(receipt: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(receipt).filter(([key]) => key !== 'type'));
}
