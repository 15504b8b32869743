import { describe, expect, it } from '@jest/globals';
import { ForwardedError } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import { readVerdict } from './client-answer.js';

describe('the answer to a submission', () => {
  it.each([
    [-32000, 'already known', 'known'],
    [-32000, 'Known transaction', 'known'],
    [-32010, 'Transaction with the same hash was already imported.', 'known'],
    [-32001, 'Nonce too low', 'nonce-too-low'],
    [-32000, 'nonce too low: next nonce 5, tx nonce 3', 'nonce-too-low'],
    [-32000, 'Replacement transaction underpriced', 'underpriced'],
    [-32000, 'replacement transaction underpriced', 'underpriced'],
    [-32006, 'Incorrect nonce', 'nonce-too-high'],
    [-32006, 'Nonce too high', 'nonce-too-high'],
    [-32000, 'Nonce too high. Expected nonce to be 3 but got 7.', 'nonce-too-high'],
    [-32004, 'Upfront cost exceeds account balance', 'refused'],
    [-32000, 'insufficient funds for gas * price + value', 'refused'],
    [-32000, 'transaction underpriced', 'refused'],
    [-32003, 'Intrinsic gas exceeds gas limit', 'refused'],
    [-32603, 'Internal error', 'doubtful'],
    [-32002, 'request timed out after 30000 ms', 'doubtful'],
    [-32000, 'request timed out', 'doubtful'],
    // The text decides where there is one: a node may use its internal error for anything.
    [-32603, 'nonce too low', 'nonce-too-low'],
  ])('%i %s is %s', (code, message, verdict) => {
    expect(readVerdict(new ForwardedError({ code, message }))).toBe(verdict);
  });

  it('that did not come leaves doubt, unless the request never left', () => {
    const text = 'Failed to connect to downstream node';
    const reason = 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE';
    expect(readVerdict(new RequestError(reason, text))).toBe('doubtful');
    expect(readVerdict(new RequestError(reason, text, { sent: false }))).toBe('unsent');
    expect(readVerdict(new TypeError('fetch failed'))).toBe('doubtful');
  });
});
