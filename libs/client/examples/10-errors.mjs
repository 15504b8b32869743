// Acts on the reason of a rejection.
import { TetradRequestError } from '@tetrad/client';
import { members } from './network.mjs';

const [first, second] = members;
try {
  await first.client.sendPrivateTransaction({
    account: second.account,
    data: '0x00',
    gas: 100_000n,
    privateFor: [second.ptmKey],
  });
} catch (error) {
  if (!(error instanceof TetradRequestError)) throw error;
  console.log(error.reason);
}
