import { describe, expect, it } from '@jest/globals';
import type { Found, PrivatePayload } from '@tetrad/transaction-manager-client';
import { RequestError, parseAddress, parsePtmKey, type PtmKey, type SignedTransaction } from '@tetrad/types';
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

describe('a payload that the manager does not send again', () => {
  const transaction = { ...CALL, data: Buffer.alloc(64, 1) } as unknown as SignedTransaction;
  const stored = { plaintext: CALL.payload, privacyFlag: 0, sender: KEY } as PrivatePayload;
  const distributeWith = (participants: Found<readonly PtmKey[]>) => {
    const manager: Partial<Manager> = {
      findRaw: async () => ({ kind: 'found', value: stored }),
      sendSigned: async () => ({ kind: 'refused', status: 410, text: 'a recipient is away' }),
      receive: async () => ({ kind: 'found', value: stored }),
      participants: async () => participants,
    };
    const parts = { manager: manager as Manager, head: new LateHead(false), recipients };
    return new PayloadDistributor(parts).distributeStored(transaction, distribution(0));
  };

  it('was sent before where the manager says who has it', async () => {
    expect(await distributeWith({ kind: 'found', value: [KEY] })).toMatchObject({ from: KEY });
  });

  it('is refused while the manager does not know whether its recipients have it', async () => {
    const refused = distributeWith({ kind: 'unknown', reason: '503 status' });
    await expect(refused).rejects.toMatchObject({ code: 'TRANSACTION_MANAGER_REFUSED' });
  });
});
