import { describe, expect, it } from '@jest/globals';
import { FakeChain } from '../../fake-chain.js';
import { SOME_HASH, type FakeBehaviour } from '../../fake-node.js';
import { IMPATIENT_MS, REFERENCE, useFakeNode, type FakeSetup } from '../../fake-setup.js';
import { BASE, without } from '../../reference-keys.js';
import type { RpcAnswer } from '../../running-signer.js';

const TRANSFER = without(BASE, 'nonce');
const AT_ONCE = 6;

/** What the client does with a submission before, or instead of, answering it as it should. */
type Fault = (chain: FakeChain, ...given: Parameters<FakeBehaviour>) => ReturnType<FakeBehaviour>;

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['answers HTML', () => ({ headers: { 'Content-Type': 'text/html' }, body: '<html>busy</html>' })],
  ['answers HTML with a status', () => ({ status: 503, body: '<html>away</html>' })],
  [
    'takes it and answers HTML',
    (chain, request, response) => {
      chain.behaviour(request, response);
      return '<html>busy</html>';
    },
  ],
  ['closes the connection', (_chain, _request, response) => void response.destroy()],
  [
    'takes it and closes the connection in the middle of the answer',
    (chain, request, response) => {
      chain.behaviour(request, response);
      response.writeHead(200, { 'Content-Length': 100 }).write('{"res', () => response.destroy());
      return undefined;
    },
  ],
  ['answers another request', () => `{"jsonrpc":"2.0","id":77,"result":"${SOME_HASH}"}`],
  [
    'takes it and answers with another request’s error',
    (chain, request, response) => {
      chain.behaviour(request, response);
      return '{"jsonrpc":"2.0","id":77,"error":{"code":-32000,"message":"insufficient funds"}}';
    },
  ],
];

const SILENCE: readonly (readonly [string, Fault])[] = [
  ['says nothing', () => undefined],
  [
    'takes it and says nothing',
    (chain, request, response) => {
      chain.behaviour(request, response);
      return undefined;
    },
  ],
];

/** @param least - how many sends to a client without faults are sure to be answered in time */
function describeFaults(faults: typeof FAULTS, fake: FakeSetup, least: number): void {
  const chain = new FakeChain();
  const send = (changes: object = {}) =>
    fake.signer.post(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_sendTransaction',
        params: [{ ...TRANSFER, ...changes }],
      }),
    );
  const sendAtOnce = () => Promise.all(Array.from({ length: AT_ONCE }, () => send()));

  it.each(faults)(
    'a client that %s: every caller has an answer, and no nonce is lost',
    async (_what, fault) => {
      fake.node.behave(chain.behaviour);
      const before = (await sendAtOnce()).map(hashOf);
      fake.node.behave((...given) =>
        given[0].rpc.method === 'eth_sendRawTransaction' ? fault(chain, ...given) : chain.behaviour(...given),
      );
      const during = (await sendAtOnce()).map(hashOf);
      expect(during).toEqual(Array.from({ length: AT_ONCE }, () => undefined));
      fake.node.behave(chain.behaviour);
      const after = (await sendAtOnce()).map(hashOf);
      const acknowledged = [...before, ...after].filter((hash) => hash !== undefined);
      expect(acknowledged.length).toBeGreaterThanOrEqual(least);
      expect(new Set(acknowledged).size).toBe(acknowledged.length);
      // Doubtful transactions are resubmitted with the same bytes; the test's time-out ends a wait in vain.
      while (chain.pendingCount() < chain.taken.size) await new Promise((tick) => setTimeout(tick, 50));
      expect([...chain.taken.values()]).toEqual(expect.arrayContaining(acknowledged));
      expect(chain.pendingCount()).toBe(chain.taken.size);
    },
  );
}

function hashOf({ status, text }: { readonly status: number; readonly text: string }): unknown {
  if (status !== 200 || !text.startsWith('{')) return undefined;
  const { id, result } = JSON.parse(text) as RpcAnswer;
  return id === 1 ? result : undefined;
}

describe('a submission that goes wrong', () => {
  describeFaults(FAULTS, useFakeNode(), 2 * AT_ONCE);
});

describe('a submission without an answer', () => {
  describeFaults(SILENCE, useFakeNode({ ...REFERENCE, requestTimeoutMs: IMPATIENT_MS }), 1);
});

describe('submissions that were accepted and mined while a gateway answered with an error', () => {
  const fake = useFakeNode();

  it('are not repeated with other nonces', async () => {
    const chain = new FakeChain();
    let [sends, gathered] = [0, 0];
    fake.node.behave((...given) => {
      const answer = chain.behaviour(...given);
      if (!given[0].body.startsWith('[')) return answer;
      gathered += 1;
      chain.mine();
      return { status: 502, body: '<html>bad gateway</html>' };
    });
    // How many are ready at the same time is a matter of luck.
    while (gathered === 0) {
      const params = [TRANSFER];
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => fake.signer.call('eth_sendTransaction', params)),
      );
      sends += AT_ONCE;
    }
    expect(chain.taken.size).toBe(sends);
  });
});
