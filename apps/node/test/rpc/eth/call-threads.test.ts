import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { startNode, type RunningNode } from '../../running-node.js';

/** Only overrides give it code. */
const PRETENDED = parseAddress(`0x${'ad'.repeat(20)}`);
/** Returns slot 0 and the number of the block. */
const READS = '0x5f545f524360205260405ff3';
const WORKS = 'node_execution_thread_works_total';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode(['--call-threads', '1', '--rpc-execution-timeout', '120000']);
});
afterAll(() => node.stop());

const word = (value: number) => value.toString(16).padStart(64, '0');
const overrides = {
  [PRETENDED]: { code: READS, state: { [`0x${word(0)}`]: `0x${word(42)}` } },
};

/** Works that a thread has done. */
async function done(): Promise<number> {
  const text = await (await fetch(`${node.opsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${WORKS}{`) && one.includes('"done"'));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('a node with threads for calls', () => {
  it('answers on them with state and block overrides of the client', async () => {
    const before = await done();
    const message = { to: PRETENDED };
    const called = await node.result('eth_call', [message, 'latest', overrides, { number: '0x2a5' }]);
    expect(called).toBe(`0x${word(42)}${word(0x2a5)}`);
    const gas = await node.result<string>('eth_estimateGas', [message, 'latest', overrides]);
    expect(Number(gas)).toBeGreaterThan(21_000);
    const options = { tracer: 'callTracer', stateOverrides: overrides, blockOverrides: { number: '0x7' } };
    expect(await node.result('debug_traceCall', [message, 'latest', options])).toMatchObject({
      output: `0x${word(42)}${word(7)}`,
    });
    expect((await done()) - before).toBe(3);
  });

  it('runs on the state of each block there, and returns reverts', async () => {
    // Init code that stores 7 in slot 0 and deploys READS.
    const data = `0x60075f556b${READS.slice(2)}5f52600c6014f3`;
    const [from] = node.accounts;
    const hash = await node.result<string>('eth_sendTransaction', [{ from, data, gas: '0x30d40' }]);
    const { contractAddress: to, blockNumber } = await node.mined(hash);
    const before = `0x${(Number(blockNumber) - 1).toString(16)}`;
    const answer = `0x${word(7)}${word(Number(blockNumber))}`;
    expect(await node.result('eth_call', [{ to }, blockNumber])).toBe(answer);
    expect(await node.result('eth_call', [{ to }, before])).toBe('0x');
    expect(await node.result('eth_createAccessList', [{ to }, blockNumber])).toMatchObject({
      accessList: [{ address: to, storageKeys: [`0x${word(0)}`] }],
    });
    const reverts = { [PRETENDED]: { code: '0x63deadbeef5f526004601cfd' } };
    const { error } = await node.call('eth_call', [{ to: PRETENDED }, 'latest', reverts]);
    expect(error).toMatchObject({ code: 3, message: 'execution reverted', data: '0xdeadbeef' });
  });
});
