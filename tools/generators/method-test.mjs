/** How the tests of a service start it, and ask it. */
const SERVICES = {
  node: {
    import: "import { startNode, type RunningNode } from 'RUNNING/running-node.js';",
    start: (name) => `let node: RunningNode;
beforeAll(async () => { node = await startNode([], { modules: '${name.split('_')[0]}' }); });
afterAll(() => node.stop());`,
    ask: 'await node.result',
  },
  wallet: {
    import: "import { startWallet, type RunningWallet } from 'RUNNING/running-wallet.js';",
    start: () => `let wallet: RunningWallet;
beforeAll(async () => { wallet = await startWallet(); });
afterAll(() => wallet.stop());`,
    ask: 'await wallet.result',
  },
  'rollup-operator': {
    import: "import { startOperator, type RunningOperator } from 'RUNNING/running-operator.js';",
    start: () => `let operator: RunningOperator;
beforeAll(async () => { operator = await startOperator(); });
afterAll(() => operator.stop());`,
    ask: 'await operator.result<boolean>',
  },
  signer: {
    import: "import { useFakeNode } from 'RUNNING/fake-setup.js';",
    start: () => `const fake = useFakeNode();
const result = async (method: string) => (await fake.signer.call(method)).result;`,
    ask: 'await result',
  },
};

/**
 * A test of a method over HTTP.
 *
 * @param {{ service: string, name: string, folder: string }} method with the folder of its test
 * @returns {{ file: string, text: string }}
 */
export function methodTest({ service, name, folder }) {
  const { import: imported, start, ask } = SERVICES[service];
  const started = start(name);
  const hooks = started.includes('beforeAll(') ? 'afterAll, beforeAll, ' : '';
  const depth = folder.split('/').length - `apps/${service}/test`.split('/').length;
  return {
    file: `${folder}/${name}.rpc.test.ts`,
    text: `import { ${hooks}describe, expect, it } from '@jest/globals';
${imported.replace('RUNNING', '../'.repeat(depth).slice(0, -1))}

${started}

describe('${name}', () => {
  it('answers', async () => {
    expect(${ask}('${name}')).toBe(true);
  });
});
`,
  };
}
