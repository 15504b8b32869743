import { expect, it } from '@jest/globals';
import { ZERO_HASH } from '@tetrad/types';
import { account, entry, rejection } from '../../test/pool-entries.js';
import { senderCode } from './sender-code.js';

it.each([
  ['no account', undefined, 'accepted'],
  ['an account without code', account({}), 'accepted'],
  ['a contract', account({ codeHash: ZERO_HASH }), ['SENDER_NOT_EOA', 'sender not an eoa']],
])('the sender is %s', (_, of, expected) => {
  expect(rejection(() => senderCode.check({ entry: entry(), account: of, queue: undefined }))).toEqual(
    expected,
  );
});
