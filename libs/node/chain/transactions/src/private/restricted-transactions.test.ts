import { beforeEach, describe, expect, it } from '@jest/globals';
import { signingKeyOf } from '@tetrad/crypto';
import type { TransactionIntent } from '@tetrad/node-execution';
import type { RestrictedTransaction } from '@tetrad/node-private-state';
import {
  RequestError,
  ZERO_HASH,
  parseAddress,
  parsePtmKey,
  type Address,
  type SignedTransaction,
} from '@tetrad/types';
import { createMarkerSigner } from './marker-signer.js';
import { RestrictedTransactions } from './restricted-transactions.js';

const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const SENDER = parseAddress(`0x${'5e'.repeat(20)}`);
const CREATION: RestrictedTransaction = {
  raw: Uint8Array.of(1),
  hash: ZERO_HASH,
  sender: SENDER,
  nonce: 0n,
  gasPrice: 0n,
  gasLimit: 100_000n,
  data: Uint8Array.of(0),
  privateFrom: KEY,
  privateFor: [KEY],
  group: KEY,
};

describe('restricted transactions on a permissioned network', () => {
  const signer = createMarkerSigner(signingKeyOf(Buffer.alloc(32, 0x42)), 1337n);
  let forbidden: (intent: TransactionIntent) => boolean;
  let distributed: number;
  let pooled: SignedTransaction[];
  let restricted: RestrictedTransactions;
  beforeEach(() => {
    [forbidden, distributed, pooled] = [() => false, 0, []];
    restricted = new RestrictedTransactions({
      manager: {
        send: async () => {
          distributed += 1;
          return { kind: 'done', value: { hash: new Uint8Array(64), managedParties: [] } } as never;
        },
      },
      head: { switches: () => ({ enhancements: true, markers: true }) },
      pool: {
        add: async (transaction) => {
          pooled.push(transaction);
          return transaction.hash;
        },
        pendingNonce: async () => 0n,
        assertPermitted: async (intent) => {
          if (forbidden(intent)) throw new RequestError('ACCOUNT_NOT_PERMITTED', 'no permission');
        },
      },
      signer,
      recipients: { check: async () => undefined },
      countOf: async () => 0n,
      carryingGas: () => 30_000n,
    });
  });
  const refusal = () =>
    restricted.send(CREATION).then(
      () => undefined,
      (error: RequestError) => ({ code: error.code, message: error.message }),
    );
  const isOf = (account: Address) => (intent: TransactionIntent) => intent.sender === account;

  it('are refused when their sender is not permitted, without a request to the manager', async () => {
    forbidden = (intent) => isOf(SENDER)(intent) && intent.to === undefined;
    expect(await refusal()).toEqual({ code: 'ACCOUNT_NOT_PERMITTED', message: 'no permission' });
    expect([distributed, pooled]).toEqual([0, []]);
  });

  it('are refused when the account of the node may not send markers, naming the account', async () => {
    forbidden = isOf(signer.address);
    const message = expect.stringMatching(new RegExp(`no permission: ${signer.address}, .* marker`));
    expect(await refusal()).toEqual({ code: 'ACCOUNT_NOT_PERMITTED', message });
    expect(distributed).toBe(0);
  });

  it('are sent to their parties and behind a marker of the node when both are permitted', async () => {
    expect(await refusal()).toBeUndefined();
    expect([distributed, pooled.map(({ sender }) => sender)]).toEqual([1, [signer.address]]);
  });
});
