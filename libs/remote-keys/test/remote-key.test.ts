import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, recoverAddress } from '@tetrad/crypto';
import { RemoteKey, ServiceGate, type ServiceLimits, type UnavailableKey } from '@tetrad/remote-keys';
import { FaultyService, ManualClock, type Behaviour } from './faulty-service.js';

const PRIVATE_KEY = new Uint8Array(32).fill(1);
const DIGEST = new Uint8Array(32).fill(2);
const ADDRESS = addressFromPrivateKey(PRIVATE_KEY);
const LIMITS: ServiceLimits = { concurrency: 2, maxWaiting: 3 };

async function setting(behaviours: readonly Behaviour[] = [], limits: ServiceLimits = LIMITS) {
  const service = new FaultyService(PRIVATE_KEY);
  const clock = new ManualClock();
  const gate = new ServiceGate('faulty service', limits, clock);
  const changes: (UnavailableKey | undefined)[] = [];
  const options = {
    gate,
    clock,
    timeoutMs: 10_000,
    onChange: (_key: RemoteKey, now: UnavailableKey | undefined) => void changes.push(now),
  };
  const key = await RemoteKey.open(service, options);
  service.behaviours.push(...behaviours);
  service.calls = 0;
  return { service, clock, gate, key, changes, options };
}

describe('a remote key', () => {
  it('has the address of its public key', async () => {
    const { key } = await setting();
    expect(key.address).toBe(ADDRESS);
  });

  it.each<Behaviour>(['signs', 'gives a high s'])('signs when the service %s', async (behaviour) => {
    const { key } = await setting([behaviour]);
    expect(recoverAddress(DIGEST, await key.sign(DIGEST))).toBe(ADDRESS);
    expect(key.unavailable).toBeUndefined();
  });

  it.each<Behaviour>(['signs with another key', 'signs another digest', 'gives zeros', 'gives 63 bytes'])(
    'gives no signature when the service %s, and does not ask again',
    async (behaviour) => {
      const { key, service } = await setting([behaviour]);
      await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'WRONG_KEY' });
      expect(service.calls).toBe(1);
      expect(key.unavailable?.code).toBe('WRONG_KEY');
    },
  );

  it.each<Behaviour>(['DENIED', 'LOCKED', 'MISSING', 'FAILED', 'TIMED_OUT'])(
    'is asked once when the answer is %s',
    async (behaviour) => {
      const { key, service } = await setting([behaviour]);
      await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: behaviour });
      expect(service.calls).toBe(1);
    },
  );

  it('repeats nothing that an unknown error says', async () => {
    const { key, service } = await setting(['fails with an unknown error']);
    const message = 'faulty service, key a: unexpected TypeError';
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'FAILED', message });
    expect(service.calls).toBe(1);
  });

  it('sends the digest again while the service throttles or cannot be reached', async () => {
    const { key, service, clock } = await setting(['THROTTLED', 'UNREACHABLE', 'THROTTLED']);
    const signing = key.sign(DIGEST);
    await clock.advance(5_000);
    expect(recoverAddress(DIGEST, await signing)).toBe(ADDRESS);
    expect(service.calls).toBe(4);
    expect(service.signed).toBe(2);
  });

  it('gives up at the deadline while the service throttles', async () => {
    const { key, service, clock } = await setting(new Array<Behaviour>(1_000).fill('THROTTLED'));
    const signing = key.sign(DIGEST);
    const refused = expect(signing).rejects.toMatchObject({ code: 'TIMED_OUT' });
    await clock.advance(10_000);
    await refused;
    const { calls } = service;
    await clock.advance(500);
    expect(service.calls).toBe(calls);
  });

  it.each<Behaviour>(['hangs', 'hangs after having signed'])(
    'discards what comes after the deadline when the service %s',
    async (behaviour) => {
      const { key, service, clock, gate } = await setting([behaviour]);
      const refused = expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'TIMED_OUT' });
      await clock.advance(10_000);
      await refused;
      expect(gate.callsUnderWay).toBe(1);
      service.release();
      await clock.advance(0);
      expect(gate.callsUnderWay).toBe(0);
      expect(key.unavailable?.code).toBe('TIMED_OUT');
      expect(service.calls).toBe(1);
    },
  );

  it('is not opened when the service has a key of another curve', async () => {
    const { service, options } = await setting();
    service.publicKey = new Uint8Array(64).fill(3);
    await expect(RemoteKey.open(service, options)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('the health of a remote key', () => {
  it('comes back without a request once the service answers', async () => {
    const { key, service, clock, changes } = await setting(['FAILED', 'UNREACHABLE']);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'FAILED' });
    service.behaviours.push('MISSING');
    await clock.advance(60_000);
    expect(key.unavailable).toBeUndefined();
    expect(changes.map((now) => now?.code)).toEqual(['FAILED', 'MISSING', undefined]);
  });

  it('stays bad when the service has another key in its place', async () => {
    const { key, service, clock } = await setting(['MISSING']);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'MISSING' });
    service.publicKey = new FaultyService(new Uint8Array(32).fill(5)).publicKey;
    await clock.advance(60_000);
    expect(key.unavailable?.code).toBe('WRONG_KEY');
  });

  it('stays bad after a refusal until a signature', async () => {
    const { key, service, clock } = await setting(['DENIED']);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'DENIED' });
    await clock.advance(600_000);
    expect({ calls: service.calls, code: key.unavailable?.code }).toEqual({ calls: 1, code: 'DENIED' });
    await key.sign(DIGEST);
    expect(key.unavailable).toBeUndefined();
  });

  it('is not asked for after it was closed', async () => {
    const { key, service, clock } = await setting(['FAILED']);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'FAILED' });
    key.close();
    await clock.advance(600_000);
    expect(service.calls).toBe(1);
  });
});

describe('the gate of a service', () => {
  it('bounds calls under way and calls that wait', async () => {
    const { key, service, clock } = await setting(['hangs', 'hangs']);
    const signing = Array.from({ length: 5 }, () => key.sign(DIGEST));
    await clock.advance(0);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'BUSY' });
    expect(key.unavailable).toBeUndefined();
    expect(service.calls).toBe(2);
    service.release();
    await Promise.all(signing);
    expect(service.maxUnderWay).toBe(2);
  });

  it('gives the place of a hanging call to no other', async () => {
    const { key, service, clock } = await setting(['hangs', 'hangs']);
    const hanging = Promise.allSettled([key.sign(DIGEST), key.sign(DIGEST)]);
    await clock.advance(10_000);
    await hanging;
    const late = expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'TIMED_OUT' });
    await clock.advance(10_000);
    await late;
    expect(service.calls).toBe(2);
    service.release();
    await clock.advance(0);
    expect(recoverAddress(DIGEST, await key.sign(DIGEST))).toBe(ADDRESS);
  });

  it('begins no more calls in a second than the rate permits', async () => {
    const limits = { concurrency: 100, maxWaiting: 100, perSecond: 5 };
    const { key, service, clock } = await setting([], limits);
    await clock.advance(10_000);
    const signing = Promise.all(Array.from({ length: 20 }, () => key.sign(DIGEST)));
    await clock.advance(0);
    expect(service.calls).toBe(5);
    await clock.advance(1_000);
    expect(service.calls).toBeLessThanOrEqual(10);
    await clock.advance(5_000);
    await signing;
    expect(service.calls).toBe(20);
  });
});
