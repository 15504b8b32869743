import { describe, expect, it } from '@jest/globals';
import { ZERO_HASH, parseAddress, parseHash, silentLogger } from '@tetrad/types';
import { AsyncSender, type CallbackSender, type SendOutcome } from './async-sender.js';
import type { TransactionSender } from './transaction-sender.js';

const SENT = parseHash(`0x${'5e'.repeat(32)}`);
const request = { from: parseAddress(`0x${'ab'.repeat(20)}`), callbackUrl: 'https://example.com/done' };

/** A sender with a fake pool and a fake receiver. */
function senderWith(options: {
  readonly limit: number;
  readonly send?: () => Promise<typeof SENT>;
  readonly check?: CallbackSender['check'];
  readonly posted?: SendOutcome[];
}): AsyncSender {
  return new AsyncSender({
    sender: { send: options.send ?? (async () => SENT) } as unknown as TransactionSender,
    callbacks: {
      check: options.check ?? (() => undefined),
      post: async (_url, outcome) => void options.posted?.push(outcome),
    },
    limit: options.limit,
    logger: silentLogger,
  });
}

describe('AsyncSender', () => {
  it('counts requests whose callback URL is still being checked', async () => {
    let allow: () => void = () => undefined;
    const allowed = new Promise<void>((done) => (allow = done));
    const sender = senderWith({ limit: 2, check: () => allowed });
    const taken = [sender.send(request, 1), sender.send(request, 2)];
    await expect(sender.send(request, 3)).rejects.toMatchObject({
      code: 'TOO_MANY_CONCURRENT_REQUESTS',
      message: 'too many concurrent requests',
    });
    allow();
    expect(await Promise.all(taken)).toEqual([ZERO_HASH, ZERO_HASH]);
  });

  it('has room again after a URL was refused', async () => {
    let rejections = 1;
    const check = async () => {
      if (rejections-- > 0) throw new Error('private address');
    };
    const sender = senderWith({ limit: 1, check });
    await expect(sender.send(request, 1)).rejects.toMatchObject({ code: 'CALLBACK_URL_NOT_ALLOWED' });
    expect(await sender.send(request, 2)).toBe(ZERO_HASH);
  });

  it('posts the error of a send that fails, under the id of the call', async () => {
    const posted: SendOutcome[] = [];
    const send = async () => {
      throw new Error('no account');
    };
    const sender = senderWith({ limit: 1, send, posted });
    await sender.send(request, 'seven');
    await sender.drain();
    expect(posted).toEqual([{ id: 'seven', error: 'no account' }]);
  });
});
