import { describe, expect, it } from '@jest/globals';
import { RequestError, parseAddress, parsePtmKey } from '@tetrad/types';
import { PayloadDistributor, type Manager } from './payload-distributor.js';
import type { HeadWorlds, PrivateHead } from './head-worlds.js';

const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const CONTRACT = parseAddress('0x00000000000000000000000000000000000000c1');
const CALL = {
  sender: parseAddress('0x00000000000000000000000000000000000000f1'),
  to: CONTRACT,
  nonce: 0n,
  gasLimit: 100_000n,
  gasPrice: 0n,
  payload: Uint8Array.of(1),
};

/** A head whose private state is behind the chain until the test calls `failWith`. */
class LateHead implements PrivateHead {
  asked = 0;
  private arrive: (outcome: { readonly error: Error }) => void = () => undefined;

  constructor(private readonly enhancements = true) {}

  switches() {
    return { enhancements: this.enhancements, markers: false };
  }

  async run<T>(_work: (worlds: HeadWorlds) => Promise<T>): Promise<T> {
    this.asked++;
    const { error } = await new Promise<{ readonly error: Error }>((resolve) => (this.arrive = resolve));
    throw error;
  }

  failWith(error: Error): void {
    this.arrive({ error });
  }
}

function distributorOn(head: PrivateHead) {
  const sent: unknown[] = [];
  const send: Manager['send'] = async (request) => {
    sent.push(request);
    return { kind: 'done', value: { hash: Buffer.alloc(64, 1), managedParties: [], sender: KEY } };
  };
  return { sent, distributor: new PayloadDistributor({ manager: { send } as Manager, head, recipients }) };
}

/** No contract has known parties. */
const recipients = { check: async () => undefined };

const distribution = (privacyFlag: 0 | 1) => ({ from: KEY, to: [KEY], privacyFlag, mandatoryFor: [] });

describe.each([0, 1] as const)('a payload with flag %i while private state is behind the chain', (flag) => {
  it.each([
    ['PRIVACY_FLAG_MISMATCH', 'once the state is there'],
    ['PRIVATE_STATE_NOT_AVAILABLE', 'when the state does not arrive in time'],
  ])('is not sent before its dry run: it is refused with %s %s', async (code) => {
    const head = new LateHead();
    const { sent, distributor } = distributorOn(head);
    const outcome = distributor.distribute(CALL, distribution(flag)).catch((error: unknown) => error);
    await Promise.resolve();
    expect([head.asked, sent]).toEqual([1, []]);
    head.failWith(new RequestError(code, 'no'));
    expect(await outcome).toMatchObject({ code });
    expect(sent).toEqual([]);
  });
});

describe('a payload on a chain without privacy enhancements', () => {
  it('is sent without a dry run', async () => {
    const head = new LateHead(false);
    const { sent, distributor } = distributorOn(head);
    await distributor.distribute(CALL, distribution(0));
    expect([head.asked, sent.length]).toEqual([0, 1]);
  });
});
