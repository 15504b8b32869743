import { ForwardedError } from '@tetrad/rpc';
import type { NonceSequence, NonceStore } from '@tetrad/signer-store';
import type { Hash } from '@tetrad/types';
import { readVerdict } from './client-answer.js';
import type { NonceSend } from './sequence-client.js';
import type { ReportedEvent } from './nonce-state.js';
import type { RecordedMoves } from './recorded-moves.js';
import { assertWanted } from './send-errors.js';

export interface GivenParts {
  readonly store: NonceStore;
  readonly moves: RecordedMoves;
}

/**
 * Sends with the nonce that the caller named: one submission, and the client's answer untouched.
 *
 * Where a transaction of ours has the nonce already this is a replacement, which is the client's to decide; the row
 * then points at the bytes that the client took. Source: docs/spec/signing-proxy.md#nonces
 *
 * @throws as the client; RequestError REQUEST_TIMEOUT when it was given up before; the database's error
 */
export async function sendGiven(
  sequence: NonceSequence,
  nonce: bigint,
  send: NonceSend,
  { store, moves }: GivenParts,
): Promise<Hash> {
  const { raw, hash, recorded } = await send.sign(nonce);
  const idempotency = send.claim?.digest;
  const entry = { sequenceId: sequence.id, nonce, raw, hash, idempotency };
  await recorded;
  assertWanted(send.signal);
  const place = await store.storeGiven(entry);
  // A returned nonce that we reserved may be assigned again; one that the caller chose may not.
  const givenBack: ReportedEvent = place === 'returned' ? 'refuse' : 'lose';
  const report = (event: ReportedEvent, answer?: Hash | ForwardedError | null) =>
    moves.report(entry, { event, hash, idempotency, answer });
  try {
    assertWanted(send.signal);
    const answer = await send.client.submit(raw);
    if (place === 'taken') await store.replace(entry);
    await report('accept', answer);
    return answer;
  } catch (error) {
    if (place !== 'taken') await report(...fateOf(error, givenBack));
    throw error;
  }
}

function fateOf(error: unknown, givenBack: ReportedEvent): [ReportedEvent, (ForwardedError | null)?] {
  const answer = error instanceof ForwardedError ? error : null;
  switch (readVerdict(error)) {
    case 'known':
      return ['accept', error as ForwardedError];
    case 'doubtful':
      return ['doubt'];
    case 'nonce-too-low':
      return ['lose', answer];
    default:
      return [givenBack, answer];
  }
}
