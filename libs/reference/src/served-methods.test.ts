import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { methodStates, registersHandler } from './served-methods.js';
import type { Service } from './services.js';

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

  it('is defined with a handler alone, and with a test alone', () => {
    write(
      'apps/node/src/rpc/eth.ts',
      'export const handlers = {\n  eth_call: ([request]) => run(request),\n};\n',
    );
    write('apps/node/test/rpc/eth/getCode.rpc.test.ts', '');
    const states = methodStates(root, node, ['eth_call', 'eth_getCode']);
    expect(states.map(({ state }) => state)).toEqual(['defined', 'defined']);
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
