import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import { generatePrivateKey, keccak256, signingKeyOf } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { ZERO_HASH, hashFromBytes } from '@tetrad/types';
import { encodeChallenge, decodeChallenge, type Head } from '../wire/handshake-messages.js';
import { encodeIntroduction, versionOf } from '../wire/introduction.js';
import { encodeRejection, type Rejection } from '../wire/rejection.js';
import { dialHandshake, type Acquaintance, type HandshakePost } from './dial.js';
import { FrameError } from './frame.js';
import { HandshakeResponder } from './handshake-responder.js';
import { introduce } from './introduce.js';
import { handshakeDigest } from './key-agreement.js';
import { createLocalNode, type LocalNode } from './local-node.js';

const NOW = 1_700_000_000_000;
const HEAD: Head = { number: 7, hash: hashFromBytes(new Uint8Array(32).fill(7)) };
const REMOTE = { host: '10.0.0.9', port: 4 };

function local(changes: Partial<LocalNode> = {}): LocalNode {
  return createLocalNode({
    key: signingKeyOf(generatePrivateKey()),
    chainId: 1337n,
    genesisHash: ZERO_HASH,
    name: 'Tetrad/test',
    endpoint: () => ({ host: '127.0.0.1', port: 21_000 }),
    ...changes,
  });
}

function responderOf(
  listener: LocalNode,
  { rejection, now = () => NOW }: { rejection?: Rejection; now?: () => number } = {},
) {
  const admitted: Acquaintance[] = [];
  const responder = new HandshakeResponder({
    local: listener,
    now,
    mayEnter: () => undefined,
    admit: async (acquaintance) => {
      admitted.push(acquaintance);
      return rejection === undefined ? { head: HEAD } : { rejection };
    },
  });
  return { responder, admitted };
}

/** Carries the steps to the responder; `between` sees the bytes and may change them. */
function carry(
  responder: HandshakeResponder,
  between: (step: string, body: Uint8Array) => Uint8Array | Promise<Uint8Array> = (_, body) => body,
): HandshakePost {
  return async (step, sent) => {
    const body = await between(`${step} sent`, sent);
    const answer = await (step === 'hello' ? responder.hello(body, REMOTE) : responder.prove(body, REMOTE));
    return 'body' in answer
      ? { accepted: true, body: await between(`${step} answered`, answer.body) }
      : {
          accepted: false,
          body: Buffer.from([
            0xc0 + answer.rejection.length + 1,
            0x80 + answer.rejection.length,
            ...Buffer.from(answer.rejection),
          ]),
        };
  };
}

const dial = (dialer: LocalNode, listener: LocalNode, post: HandshakePost) =>
  dialHandshake(dialer, listener.nodeId, { post, now: () => NOW });

describe('a handshake', () => {
  it('gives both sides one session, through which messages pass in both directions', async () => {
    const [one, two] = [local(), local()];
    const { responder, admitted } = responderOf(two);
    const { session, introduction, head } = await dial(one, two, carry(responder));
    const other = admitted[0]?.session;
    expect(head).toEqual(HEAD);
    expect(introduction.nodeId).toBe(two.nodeId);
    expect(admitted[0]?.introduction).toMatchObject({
      nodeId: one.nodeId,
      name: 'Tetrad/test',
      port: 21_000,
    });
    expect(other?.id).toBe(session.id);
    const text = Buffer.from('hello');
    for (const [from, to] of [
      [session, other],
      [other, session],
    ] as const) {
      const { frame, counter } = from?.seal('request', text) ?? { frame: text, counter: 0 };
      expect(Buffer.from(to?.open('request', frame).plaintext ?? [])).toEqual(text);
      const answer = to?.sealAnswer('request', counter, Buffer.from('answer')) ?? text;
      expect(Buffer.from(from?.openAnswer('request', counter, answer) ?? []).toString()).toBe('answer');
      expect(() => from?.openAnswer('request', counter + 1, answer)).toThrow(FrameError);
      expect(() => from?.open('request', frame)).toThrow(FrameError);
    }
  });

  it('makes new keys every time', async () => {
    const [one, two] = [local(), local()];
    const { responder } = responderOf(two);
    const first = await dial(one, two, carry(responder));
    const second = await dial(one, two, carry(responder));
    expect(first.session.id).not.toBe(second.session.id);
    expect(() => second.session.open('push', first.session.seal('push', new Uint8Array(1)).frame)).toThrow(
      FrameError,
    );
  });

  it.each([
    ['wrong-chain', { chainId: 5n }, {}],
    ['wrong-genesis', { genesisHash: HEAD.hash }, {}],
    ['wrong-clock', {}, { now: () => NOW + 700_000 }],
    ['duplicate-key', {}, { rejection: 'duplicate-key' as const }],
  ])('ends as %s', async (rejection, changes, options) => {
    const [one, two] = [local(), local(changes)];
    const { responder } = responderOf(two, options);
    await expect(dial(one, two, carry(responder))).rejects.toMatchObject({ rejection, isOurs: false });
  });

  it('ends when the listener answers with the key of the dialer or with another one than was dialled', async () => {
    const one = local();
    const again = local({ key: one.key });
    await expect(dial(one, again, carry(responderOf(again).responder))).rejects.toMatchObject({
      rejection: 'own-key',
    });
    const [two, other] = [local(), local()];
    await expect(dial(one, two, carry(responderOf(other).responder))).rejects.toMatchObject({
      rejection: 'wrong-node',
    });
  });

  it('ends when any byte of any step is changed on the way', async () => {
    const [one, two] = [local(), local()];
    for (const step of ['hello sent', 'hello answered', 'prove sent', 'prove answered']) {
      for (let at = 3; at < 400; at += 41) {
        const { responder } = responderOf(two);
        const flip = (now: string, body: Uint8Array) =>
          now === step ? body.map((byte, index) => (index === at % body.length ? byte ^ 1 : byte)) : body;
        await expect(dial(one, two, carry(responder, flip))).rejects.toMatchObject({
          name: 'HandshakeError',
        });
      }
    }
  });

  it('ends when the listener cannot sign with the key that it claims', async () => {
    const [one, two, thief] = [local(), local(), local()];
    const { responder } = responderOf(two);
    const forge = async (step: string, body: Uint8Array) => {
      if (step !== 'hello answered') return body;
      const { introduction } = decodeChallenge(body);
      return encodeChallenge({
        introduction,
        signature: await thief.key.sign(keccak256(introduction)),
      });
    };
    await expect(dial(one, two, carry(responder, forge))).rejects.toMatchObject({
      rejection: 'wrong-signature',
      isOurs: true,
    });
  });
});

describe('the listener', () => {
  it('takes a proof once, and none of a dialer that does not have the key', async () => {
    const [one, two, thief] = [local(), local(), local()];
    const { responder, admitted } = responderOf(two);
    let proof = new Uint8Array(0);
    await dial(
      one,
      two,
      carry(responder, (step, body) => {
        if (step === 'prove sent') proof = Uint8Array.from(body);
        return body;
      }),
    );
    expect(await responder.prove(proof, REMOTE)).toEqual({ rejection: 'wrong-signature' });
    const masked = { ...thief, nodeId: one.nodeId };
    await expect(dial(masked, two, carry(responder))).rejects.toMatchObject({
      rejection: 'wrong-signature',
      isOurs: false,
    });
    expect(admitted).toHaveLength(1);
  });

  it('remembers a bounded number of dialers that say hello and never prove anything', async () => {
    const two = local();
    const { responder } = responderOf(two);
    const ephemeral = new Uint8Array(64).fill(9);
    for (let count = 0; count < 400; count++) {
      await responder.hello(
        encodeIntroduction(introduce(local(), { peerId: two.nodeId, ephemeral, nowMs: NOW })),
        REMOTE,
      );
    }
    expect(responder.size).toBe(256);
  });

  it('rejects versions that it does not speak by name, whatever follows', async () => {
    const { responder } = responderOf(local());
    expect(await responder.hello(Uint8Array.of(0xc2, 4, 1), REMOTE)).toEqual({ rejection: 'wrong-version' });
    expect(await responder.hello(Uint8Array.of(0xc2, 0x80, 1), REMOTE)).toEqual({
      rejection: 'wrong-version',
    });
    expect(await responder.hello(Uint8Array.of(0xc2, 2, 1), REMOTE)).toEqual({ rejection: 'wrong-form' });
    expect(await responder.hello(Uint8Array.of(0xc2, 1, 1), REMOTE)).toEqual({ rejection: 'wrong-form' });
  });
});

describe('nodes of two versions of the protocol', () => {
  const FIRST = { oldest: 1, newest: 1 };
  const NEXT = { oldest: 3, newest: 4 };

  /** The listener as its first version was: it reads no introduction of another one. */
  function firstVersion(listener: LocalNode): HandshakePost {
    const post = carry(responderOf(listener).responder);
    return async (step, body) =>
      step === 'hello' && versionOf(body) !== 1
        ? { accepted: false, body: encodeRejection('wrong-version') }
        : post(step, body);
  }

  /** Makes the introduction of a version of the future from ours: with fields that are unknown here. */
  const extended = (body: Uint8Array) =>
    encodeRlp([...(RLP.decode(body) as Uint8Array[]), Uint8Array.of(7), Buffer.from('new field')]);

  it('speak the first when the listener knows no other', async () => {
    const [newer, older] = [local(), local({ versions: FIRST })];
    const { introduction, version } = await dial(newer, older, firstVersion(older));
    expect([introduction.version, version]).toEqual([1, 1]);
  });

  it('speak the first when the dialer knows no other', async () => {
    const [older, newer] = [local({ versions: FIRST }), local()];
    const { responder, admitted } = responderOf(newer);
    expect(await dial(older, newer, carry(responder))).toMatchObject({
      version: 1,
      introduction: { version: 1 },
    });
    expect(admitted).toMatchObject([{ version: 1 }]);
  });

  it('speak the newest that both know, whichever dials', async () => {
    for (const [dialer, listener] of [
      [local(), local()],
      [local(), local({ versions: NEXT })],
      [local({ versions: NEXT }), local()],
    ] as const) {
      const { responder, admitted } = responderOf(listener);
      expect(await dial(dialer, listener, carry(responder))).toMatchObject({ version: 3 });
      expect(admitted).toMatchObject([{ version: 3 }]);
    }
  });

  it('ignore fields of a later introduction, and none of their own version', async () => {
    const [one, two] = [local({ versions: NEXT }), local()];
    const own = { peerId: two.nodeId, ephemeral: new Uint8Array(64).fill(9), nowMs: NOW };
    const { responder } = responderOf(two);
    expect(await responder.hello(extended(encodeIntroduction(introduce(one, own))), REMOTE)).toHaveProperty(
      'body',
    );
    const present = extended(encodeIntroduction(introduce(local(), own)));
    expect(await responder.hello(present, REMOTE)).toEqual({ rejection: 'wrong-form' });
  });

  it('refuse each other by name when they have none in common', async () => {
    const [first, next] = [local({ versions: FIRST }), local({ versions: NEXT })];
    await expect(dial(first, next, carry(responderOf(next).responder))).rejects.toMatchObject({
      rejection: 'wrong-version',
      isOurs: false,
    });
    await expect(dial(next, first, firstVersion(first))).rejects.toMatchObject({
      rejection: 'wrong-version',
      isOurs: false,
    });
  });

  it('that both know later ones are not made to speak the first by someone on the way', async () => {
    const [one, two] = [local(), local()];
    const { responder, admitted } = responderOf(two);
    const post = carry(responder);
    const onTheWay: HandshakePost = async (step, body) =>
      versionOf(body) === 3 ? { accepted: false, body: encodeRejection('wrong-version') } : post(step, body);
    await expect(dial(one, two, onTheWay)).rejects.toMatchObject({ rejection: 'wrong-version' });
    expect(admitted).toEqual([]);
  });
});

it('the signed bytes have the documented layout', () => {
  const [dialer, listener] = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  const preimage = Buffer.concat([
    Buffer.from('tetrad/p2p/v1 handshake'),
    Uint8Array.of(2),
    keccak256(dialer),
    keccak256(listener),
  ]);
  expect(preimage).toHaveLength(23 + 1 + 32 + 32);
  expect(handshakeDigest('listener', { dialer, listener })).toEqual(keccak256(preimage));
});
