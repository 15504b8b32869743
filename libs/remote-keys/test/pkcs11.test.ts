import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { recoverAddress } from '@tetrad/crypto';
import { Pkcs11Token, RemoteKey, ServiceGate, type Pkcs11TokenSettings } from '@tetrad/remote-keys';
import { findSoftHsm, startSoftHsm, type SoftHsm } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';

const library = findSoftHsm();
const withHsm = library === undefined ? describe.skip : describe;
const DESK = { label: 'desk', id: '01' };
/** Far above what SoftHSM takes, on a host that stalls. */
const TIMEOUT_MS = 60_000;

let hsm: SoftHsm;
const opened: { close(): void }[] = [];

beforeAll(async () => {
  if (library === undefined) return;
  hsm = startSoftHsm(library);
  await tokenOf().generate(DESK);
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});
afterAll(() => hsm?.stop());

function tokenOf(settings: Partial<Pkcs11TokenSettings> = {}): Pkcs11Token {
  const { tokenLabel, pinFile } = hsm;
  const token = new Pkcs11Token(
    { library: hsm.library, tokenLabel, pinFile, sessions: 4, timeoutMs: TIMEOUT_MS, ...settings },
    { clock: systemClock, readText: async (path) => readFileSync(path, 'utf8') },
  );
  opened.push(token);
  return token;
}

async function keyOf(
  token: Pkcs11Token,
  name: { label?: string; id?: string } = DESK,
  timeoutMs = TIMEOUT_MS,
) {
  const gate = new ServiceGate(token.name, { concurrency: 4, maxWaiting: 1_000 }, systemClock);
  const key = await RemoteKey.open(token.key(name), { gate, clock: systemClock, timeoutMs });
  opened.push(key);
  return key;
}

const digestOf = (index: number) => new Uint8Array(32).fill(index);

async function assertSigns(key: RemoteKey, index = 1): Promise<void> {
  expect(recoverAddress(digestOf(index), await key.sign(digestOf(index)))).toBe(key.address);
}

withHsm('a key on a PKCS#11 token', () => {
  it('signs in several sessions at once', async () => {
    const key = await keyOf(tokenOf());
    await Promise.all(Array.from({ length: 50 }, (_, index) => assertSigns(key, index)));
  });

  it('is the same for two processes, as for two replicas on one HSM', async () => {
    const [one, other] = await Promise.all([keyOf(tokenOf()), keyOf(tokenOf())]);
    expect(one.address).toBe(other.address);
    await Promise.all([one, other].map((key) => assertSigns(key)));
  });

  it.each([{ label: 'desk' }, { id: '01' }])('is found by %j', async (name) => {
    await assertSigns(await keyOf(tokenOf(), name));
  });

  it('is named when the token does not have it', async () => {
    await expect(keyOf(tokenOf(), { label: 'vault' })).rejects.toMatchObject({
      code: 'MISSING',
      message: expect.stringMatching(/token bank .*: the token has no public key with label vault$/),
    });
  });

  it('is not made twice under one name', async () => {
    await expect(tokenOf().generate(DESK)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('signs again when its token comes back', async () => {
    const key = await keyOf(tokenOf({ library: hsm.buildFaultyLibrary() }), DESK, 2_000);
    hsm.setFault('removed');
    try {
      await expect(key.sign(digestOf(1))).rejects.toMatchObject({ code: 'MISSING' });
      expect(key.unavailable?.reason).toMatch(/the token was removed/);
      await expect(key.sign(digestOf(1))).rejects.toMatchObject({ code: 'MISSING' });
      expect(key.unavailable?.reason).toMatch(/there is no token with the label bank/);
    } finally {
      hsm.setFault(undefined);
    }
    await assertSigns(key);
    expect(key.unavailable).toBeUndefined();
  });
});

withHsm('a PKCS#11 token', () => {
  it.each<[string, Partial<Pkcs11TokenSettings>, string, RegExp]>([
    ['has no such label', { tokenLabel: 'none' }, 'MISSING', /no token with the label none/],
    ['is in no such slot', { tokenLabel: undefined, slot: 4_000_000 }, 'MISSING', /no token in slot 4000000/],
    ['has no library', { library: '/nowhere.so' }, 'UNSUPPORTED', /\/nowhere.so is not there/],
    ['has no PIN file', { pinFile: '/nowhere' }, 'MISSING', /PIN file \/nowhere cannot be read/],
  ])('that %s is named', async (_what, settings, code, text) => {
    await expect(keyOf(tokenOf(settings))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(text),
    });
  });

  it('is not sent a refused PIN again, and is sent another one', async () => {
    const token = tokenOf();
    hsm.writePin('13579');
    try {
      const refused = keyOf(token);
      await expect(refused).rejects.toMatchObject({
        code: 'LOCKED',
        message: expect.stringMatching(/PIN is wrong/),
      });
      await expect(refused).rejects.not.toMatchObject({ message: expect.stringMatching(/13579/) });
      // The token would accept it now, if it were sent.
      hsm.setUserPin('13579');
      await expect(keyOf(token)).rejects.toMatchObject({
        code: 'LOCKED',
        message: expect.stringMatching(/PIN is wrong .*not tried again before/),
      });
      hsm.setUserPin('24680');
      hsm.writePin('24680');
      await assertSigns(await keyOf(token));
    } finally {
      hsm.setUserPin(hsm.pin);
      hsm.writePin(hsm.pin);
    }
  });
});

withHsm('a PKCS#11 library', () => {
  let faulty = '';

  beforeAll(() => void (faulty = hsm.buildFaultyLibrary()));
  afterEach(() => hsm.setFault(undefined));

  it('that hangs after having signed is ended, and started again', async () => {
    const key = await keyOf(tokenOf({ library: faulty, timeoutMs: 1_000 }), DESK, 1_000);
    hsm.setFault('hang');
    await expect(key.sign(digestOf(1))).rejects.toMatchObject({ code: 'TIMED_OUT' });
    hsm.setFault(undefined);
    await assertSigns(await keyOf(tokenOf({ library: faulty })));
  });

  it('that crashes takes no other process along, and is started again', async () => {
    const key = await keyOf(tokenOf({ library: faulty }));
    hsm.setFault('crash');
    await expect(key.sign(digestOf(1))).rejects.toMatchObject({
      code: 'FAILED',
      message: expect.stringMatching(/the library ended with SIGABRT/),
    });
    hsm.setFault(undefined);
    await assertSigns(key);
  });

  it('without a session to spare is asked again', async () => {
    const key = await keyOf(tokenOf({ library: faulty }));
    hsm.setFault('busy');
    const signing = assertSigns(key);
    setTimeout(() => hsm.setFault(undefined), 300);
    await signing;
  });
});
