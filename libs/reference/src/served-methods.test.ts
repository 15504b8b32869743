import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { countCalls, methodStates, registersHandler } from './served-methods.js';
import { services, type Service } from './services.js';

const wallet: Service = { name: 'wallet', title: 'Wallet', methods: {}, standardMethods: {} };
const node: Service = { name: 'node', title: 'Node', methods: {}, standardMethods: {} };

describe('the state of a method', () => {
  let root: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tetrad-reference-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is defined while there is neither handler nor test', () => {
    expect(methodStates(root, node, ['eth_call'])).toEqual([
      { method: 'eth_call', service: 'node', state: 'defined' },
    ]);
  });

  it('is served with a handler and a test over HTTP', () => {
    write(
      'apps/node/src/rpc/eth.ts',
      'export const handlers = {\n  eth_call: ([request]) => run(request),\n};\n',
    );
    write('apps/node/test/rpc/eth/eth_call.rpc.test.ts', '');
    expect(methodStates(root, node, ['eth_call'])).toEqual([
      {
        method: 'eth_call',
        service: 'node',
        state: 'served',
        testFile: 'apps/node/test/rpc/eth/eth_call.rpc.test.ts',
      },
    ]);
  });

  it('is served with a handler and a test that it shares with others', () => {
    write(
      'apps/node/src/rpc/blocks.ts',
      'const handlers = {\n  eth_getCode: run,\n  eth_getCodeSize: run,\n};\n',
    );
    const testFile = 'apps/node/test/rpc/standard/state.rpc.test.ts';
    write(testFile, "await check('eth_getCode', address);\n");
    expect(methodStates(root, node, ['eth_getCode', 'eth_getCodeSize'])).toEqual([
      { method: 'eth_getCode', service: 'node', state: 'served', testFile },
      { method: 'eth_getCodeSize', service: 'node', state: 'defined' },
    ]);
  });

  it('is defined with a handler alone, and with a test alone', () => {
    write(
      'apps/node/src/rpc/eth.ts',
      'export const handlers = {\n  eth_call: ([request]) => run(request),\n};\n',
    );
    write('apps/node/test/rpc/eth/getCode.rpc.test.ts', '');
    const states = methodStates(root, node, ['eth_call', 'eth_getCode']);
    expect(states.map(({ state }) => state)).toEqual(['defined', 'defined']);
  });

  it('is served with a handler and a call in a test of several methods, of which it takes the one with most', () => {
    write('apps/node/src/rpc/eth.ts', 'const a = { eth_call: one, eth_getCode: two, eth_sign: three };\n');
    write('apps/node/test/rpc/standard/a.rpc.test.ts', "await check('eth_call', []);\n// eth_sign\n");
    write(
      'apps/node/test/rpc/standard/b.rpc.test.ts',
      "await check<string>('eth_call', []);\nawait call(\n  'eth_call', []);\nawait check('eth_getCode');\n",
    );
    write('apps/node/test/rpc/standard/c.test.ts', "await check('eth_sign', []);\n");
    const states = methodStates(root, node, ['eth_call', 'eth_getCode', 'eth_sign']);
    const testFile = 'apps/node/test/rpc/standard/b.rpc.test.ts';
    expect(states).toEqual([
      { method: 'eth_call', service: 'node', state: 'served', testFile },
      { method: 'eth_getCode', service: 'node', state: 'served', testFile },
      { method: 'eth_sign', service: 'node', state: 'defined' },
    ]);
    expect(countCalls("call('eth_callMany'); const eth_call = 'eth_call';", 'eth_call')).toBe(0);
  });

  it('of every standard method is served: the services implement all of them', () => {
    const repository = join(import.meta.dirname, '../../..');
    for (const service of services) {
      const states = methodStates(repository, service, Object.keys(service.standardMethods));
      expect(states.filter(({ state }) => state !== 'served')).toEqual([]);
    }
  });

  it('reads names with a dot, in quotes', () => {
    write('apps/wallet/src/rpc/coin.ts', "export const handlers = {\n  'Coin.WalletHas': has,\n};\n");
    write('apps/wallet/test/rpc/Coin/Coin.WalletHas.rpc.test.ts', '');
    expect(methodStates(root, wallet, ['Coin.WalletHas'])[0]?.state).toBe('served');
  });

  it('does not take a comment, a call or a longer name for a handler', () => {
    write(
      'apps/node/src/rpc/eth.ts',
      '/**\n * eth_call: later\n */\n// eth_call: later\nconst a = { eth_callMany: b };\n',
    );
    write('apps/node/test/rpc/eth/eth_call.rpc.test.ts', '');
    expect(methodStates(root, node, ['eth_call'])[0]?.state).toBe('defined');
    expect(registersHandler("client.call('eth_call', [])", 'eth_call')).toBe(false);
    expect(registersHandler("if (method === 'eth_call') {", 'eth_call')).toBe(false);
  });

  it.each(['  async eth_call(params) {', 'return { eth_call, eth_getCode };', "  'eth_call': run,"])(
    'takes %s for a handler',
    (source) => {
      expect(registersHandler(source, 'eth_call')).toBe(true);
    },
  );
});
