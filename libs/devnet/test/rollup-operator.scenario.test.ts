import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, callRpc, freePorts, type Endpoints } from '@tetrad/devnet';
import { startChildService, type ChildService } from '@tetrad/testkit';
import { missingMethods } from './served-methods.js';
import { MAIN, runTetrad } from './tetrad-process.js';

let folder: string;
let base: number;
let running: ChildService | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-up-rollup-'));
  base = await freePorts(2 * PORTS_PER_NODE);
});
afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Starts a network of one node and the operator in the folder.
 * @returns its endpoints, and its output
 */
async function up(log: string) {
  const [endpointsFile, logFile] = [join(folder, 'endpoints.json'), join(folder, log)];
  const services = ['--services', 'node,rollup-operator', '--permissioned'];
  const shape = ['--nodes', '1', ...services, '--block-period', '200'];
  const places = ['--data-dir', join(folder, 'data'), '--port-base', String(base)];
  running = await startChildService({
    name: 'up',
    command: process.execPath,
    args: [MAIN, 'up', ...shape, ...places, '--endpoints-file', endpointsFile],
    environment: { NODE_OPTIONS: '' },
    logFile,
    isReady: async () =>
      existsSync(endpointsFile) && (await readFile(logFile, 'utf8')).includes('Ctrl-C stops it\n'),
  });
  const { nodes, rollup } = JSON.parse(await readFile(endpointsFile, 'utf8')) as Endpoints;
  if (rollup === null) throw new Error('the network has no rollup operator');
  return { node: nodes[0]?.rpc as string, rollup, said: await readFile(logFile, 'utf8') };
}

async function interrupt(): Promise<number | null> {
  process.kill(running?.pid as number, 'SIGINT');
  return (running as ChildService).exited;
}

/**
 * Registers an account with the submitter's key.
 * @returns the operator's answer
 */
async function register({ rpc, contract }: NonNullable<Endpoints['rollup']>, node: string): Promise<string> {
  const data = join(folder, 'data');
  const keys = [
    '--key-file',
    join(data, 'rollup-operator/submitter'),
    '--password-file',
    join(data, 'password'),
  ];
  const places = ['--operator-url', rpc, '--contract', contract, '--chain-url', node];
  const { stdout, stderr } = await runTetrad(['rollup', 'account', 'register', ...places, ...keys]);
  return stdout.trim() + stderr.trim();
}

describe('./tetrad up with a rollup operator', () => {
  it('enrols its account and deploys its contract at the first start, serves it, and finds it again at the next', async () => {
    const { node, rollup, said } = await up('first.log');
    const { rpc, contract, operatorKey } = rollup;
    expect(rpc).toBe(`http://127.0.0.1:${base + 12}`);
    expect(operatorKey).toMatch(/^0x[0-9a-f]{128}$/);
    expect(said).toContain('deploying the contract of the rollup\n');
    expect(said).toMatch(new RegExp(`^rollup-operator +${rpc}  contract ${contract}$`, 'm'));
    const code = await callRpc(node, 'eth_getCode', [contract, 'latest']);
    expect(code).toMatch(/^0x[0-9a-f]{1000,}$/);
    expect(await register(rollup, node)).toBe('REGISTERED');
    expect(await missingMethods(rpc, 'rollup-operator')).toEqual([]);
    expect(await interrupt()).toBe(0);
    await expect(callRpc(rpc, 'pazkp_findAccountById', [1])).rejects.toThrow('fetch failed');

    const second = await up('second.log');
    expect(second.rollup).toMatchObject({ rpc, contract, operatorKey });
    expect(second.said).not.toContain('deploying');
    expect(await callRpc(second.node, 'eth_getCode', [contract, 'latest'])).toBe(code);
    expect(await register(second.rollup, second.node)).toBe('PUBLIC_KEY_ALREADY_EXISTS');
    expect(await interrupt()).toBe(0);
  });
});
