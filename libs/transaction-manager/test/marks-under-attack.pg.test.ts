import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { readMark } from '../src/completeness/payload-mark.js';
import { Enclave } from '../src/enclave/enclave.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { decodePartyInfo, encodePartyInfo } from '../src/party/party-info.js';
import { PrivacyFlag } from '../src/payload/encoded-payload.js';
import { LinkBetween, type Passed } from './link-between.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const OWNER = recordedPair('b1').publicKey;
const UNSEALED = 'tetrad-payload-mark';
const SEALED = 'tetrad-sealed-mark';
const STANDARD = {
  privacyFlag: PrivacyFlag.Standard,
  affected: [],
  execHash: new Uint8Array(),
  mandatoryRecipients: [],
  privacyGroupId: undefined,
  from: undefined,
};
const YEAR_MS = 365 * 86_400_000;

const opened: { end(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.end();
});

/** A manager that keeps marks, and how others reach it. */
interface Keeper {
  readonly manager: RunningManager;
  readonly link: LinkBetween;
}

/** A manager whose marks are kept, which may be another process than before on the same database. */
interface Owner {
  running: RunningManager;
  readonly peers: readonly string[];
}

async function startKeeper(name = 'a1'): Promise<Keeper> {
  const link = await LinkBetween.start();
  const manager = await startManager([name], { url: link.url });
  link.target = manager.peerUrl;
  opened.push(link, manager);
  return { manager, link };
}

async function startOwner(...keepers: readonly Keeper[]): Promise<Owner> {
  const peers = keepers.map(({ link }) => link.url);
  const owner: Owner = { running: await startManager(['b1'], { peers }), peers };
  const { end } = owner.running;
  opened.push({
    async end() {
      await owner.running.stop();
      await end();
    },
  });
  await until(async () => (await owner.running.stored.completeness.find()) === 'new');
  await until(() => keepers.every(({ manager }) => manager.parties.find(OWNER) !== undefined));
  return owner;
}

async function startAgain(owner: Owner): Promise<void> {
  const { database, peerUrl, stop } = owner.running;
  await stop();
  const { hostname: host, port } = new URL(peerUrl);
  const peer = { host, port: Number(port) };
  owner.running = await startManager(['b1'], { peers: owner.peers, database, peer });
}

/** How many payloads the mark counts that a keeper has; 0 without one of the owner. */
async function keptBy({ manager }: Keeper): Promise<number> {
  const { rows } = await manager.database.pool.query<{ mark: Buffer | null }>('SELECT mark FROM key_holder');
  const enclave = new Enclave(new KeyRing([recordedPair('b1')]));
  const marks = rows.map(({ mark }) => readMark(mark?.toString('base64') ?? '', enclave));
  return Math.max(...marks.map((mark) => (mark?.sequence ?? 1) - 1));
}

/** Payloads reach the owner until the keepers have marks of so many. */
async function grow(count: number, ...keepers: readonly Keeper[]): Promise<void> {
  const [{ manager }] = keepers as [Keeper];
  const before = await keptBy(keepers[0]!);
  for (let turn = 0; turn < count; turn++)
    await manager.manager.send({ ...STANDARD, payload: randomBytes(8), to: [OWNER] });
  for (const keeper of keepers) await until(async () => (await keptBy(keeper)) >= before + count);
}

/** The database of the owner as it was before its last payload. */
async function setBack({ running }: Owner): Promise<void> {
  await running.stop();
  await running.database.pool.query(
    `DELETE FROM payload WHERE sequence = (SELECT max(sequence) FROM payload);
     SELECT setval('payload_sequence_seq', count(*) + 1, false) FROM payload`,
  );
}

/** A stranger announces in the owner's name. */
function announceAs({ running }: Owner, to: Keeper, headers: Readonly<Record<string, string>> = {}) {
  const { peerUrl: url } = running;
  const body = Uint8Array.from(encodePartyInfo({ url, keys: [{ key: OWNER, url }], parties: [] }));
  return replay({ path: '/partyinfo', body: Buffer.from(body), headers, answer: {} }, to);
}

/** Sends what was recorded once more. */
async function replay({ path, body, headers }: Passed, { manager }: Keeper): Promise<Response> {
  const bytes = { 'content-type': 'application/octet-stream' };
  const answer = await fetch(new URL(path, manager.peerUrl), {
    method: 'POST',
    body: Uint8Array.from(body),
    headers: { ...headers, ...bytes },
  });
  expect(answer.status).toBe(200);
  return answer;
}

/** Those of the owner that are about marks. */
async function replayAll(recorded: readonly Passed[], to: Keeper): Promise<void> {
  const ofOwner = recorded.filter(
    ({ body, headers }) =>
      decodePartyInfo(body).keys.some(({ key }) => key === OWNER) &&
      marksIn(Object.entries(headers)).length > 0,
  );
  expect(ofOwner).not.toHaveLength(0);
  for (const one of ofOwner) await replay(one, to);
}

/** Names of headers about marks that are there. */
const marksIn = (headers: Iterable<readonly [string, string]>) =>
  [...headers].map(([name]) => name).filter((name) => name.startsWith('tetrad') && name.endsWith('mark'));

const withoutMarks = (headers: Record<string, string>) => {
  for (const name of marksIn(Object.entries(headers))) delete headers[name];
};

/** Waits until the link has passed so many more announcements. */
async function further(link: LinkBetween, count: number): Promise<void> {
  const before = link.announcements.length;
  await until(() => link.announcements.length >= before + count);
}

/**
 * The protection holds: the owner, set back, learns it of a keeper before a node can ask.
 * @param attack - while it is down
 */
async function expectDoubtAfterSetBack(owner: Owner, attack?: () => Promise<unknown>): Promise<void> {
  await setBack(owner);
  await attack?.();
  await startAgain(owner);
  expect(owner.running.completeness.doubt).toMatch(/recover/);
}

describe('a manager whose database was set back', () => {
  it('to before it knew the peer asks it under a key that the peer declares, before a node can ask', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(2, keeper);
    await expectDoubtAfterSetBack(owner, () => owner.running.database.pool.query('TRUNCATE key_holder'));
  });

  it('to before its only payload learns it', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(1, keeper);
    await expectDoubtAfterSetBack(owner);
  });
});

describe('a stranger', () => {
  it('who announces in the name of a manager does not replace the mark that a peer keeps for it', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(2, keeper);
    const mark = randomBytes(94).toString('base64');
    await expectDoubtAfterSetBack(owner, () =>
      announceAs(owner, keeper, { [UNSEALED]: mark, [SEALED]: mark }),
    );
  });

  it('gets no mark, so that it does not see when payloads come', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(1, keeper);
    expect(marksIn((await announceAs(owner, keeper)).headers)).toEqual([]);
  });

  it('who repeats older announcements of the manager does not replace the mark', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(2, keeper);
    await further(keeper.link, 2);
    const recorded = [...keeper.link.announcements];
    await grow(2, keeper);
    await expectDoubtAfterSetBack(owner, () => replayAll(recorded, keeper));
    expect(await keptBy(keeper)).toBe(4);
  });

  it('who passes to one peer what the manager sent to another does not replace the mark', async () => {
    const [keeper, other] = [await startKeeper('a1'), await startKeeper('c1')];
    const owner = await startOwner(keeper, other);
    await grow(2, keeper, other);
    await further(other.link, 2);
    const recorded = [...other.link.announcements];
    await grow(2, keeper, other);
    other.link.interference = { drops: () => true };
    await expectDoubtAfterSetBack(owner, () => replayAll(recorded, keeper));
    expect(await keptBy(keeper)).toBe(4);
  });
});

describe('a host between a manager and its peer', () => {
  it('that delivers a mark later, after others, does not replace the newer one', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(1, keeper);
    const { link, manager } = keeper;
    link.interference = { drops: (path) => path === '/partyinfo' };
    await manager.manager.send({ ...STANDARD, payload: randomBytes(8), to: [OWNER] });
    const from = link.announcements.length;
    await further(link, 3);
    const dropped = link.announcements.slice(from);
    link.interference = {};
    await grow(2, keeper);
    expect(await keptBy(keeper)).toBe(4);
    await expectDoubtAfterSetBack(owner, () => replayAll(dropped, keeper));
    expect(await keptBy(keeper)).toBe(4);
  });

  it('that hides the mark does not have it replaced, and hides it only while it is there', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(2, keeper);
    await setBack(owner);
    keeper.link.interference = { answer: withoutMarks };
    await startAgain(owner);
    await further(keeper.link, 4);
    expect(owner.running.completeness.doubt).toBeUndefined();
    keeper.link.interference = {};
    await until(() => owner.running.completeness.doubt !== undefined);
  });

  it('that gives an earlier answer for the present one does not have the mark replaced', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    const { link } = keeper;
    await grow(1, keeper);
    await startAgain(owner);
    await further(link, 2);
    const earlier = link.announcements.findLast(({ answer }) => marksIn(Object.entries(answer)).length > 0);
    await grow(2, keeper);
    await setBack(owner);
    link.interference = {
      answer(headers) {
        withoutMarks(headers);
        for (const name of marksIn(Object.entries(earlier?.answer ?? {})))
          headers[name] = earlier?.answer[name] ?? '';
      },
    };
    await startAgain(owner);
    await further(link, 4);
    link.interference = {};
    await until(() => owner.running.completeness.doubt !== undefined);
  });
});

describe('a peer that lies', () => {
  it('cannot stop a manager that counts as complete with marks of before', async () => {
    const keeper = await startKeeper();
    const owner = await startOwner(keeper);
    await grow(2, keeper);
    const recorded: string[] = [];
    const show = (mark: string) =>
      keeper.manager.database.pool.query('UPDATE key_holder SET mark = $1', [Buffer.from(mark, 'base64')]);
    const take = async () => {
      const { rows } = await keeper.manager.database.pool.query<{ mark: Buffer | null }>(
        'SELECT mark FROM key_holder WHERE mark IS NOT NULL',
      );
      recorded.push(...rows.map(({ mark }) => mark?.toString('base64') ?? ''));
    };
    await take();
    // The clock was a year ahead.
    await owner.running.database.pool.query('UPDATE completeness SET since = $1', [
      new Date(Date.now() + YEAR_MS),
    ]);
    await startAgain(owner);
    await grow(1, keeper);
    await take();
    expect(new Set(recorded).size).toBe(2);
    // What the operator restores, and declares as complete, while nothing runs.
    await owner.running.stop();
    await owner.running.database.pool.query('TRUNCATE completeness');
    await startAgain(owner);
    await until(() => owner.running.completeness.doubt !== undefined);
    await further(keeper.link, 2);
    await owner.running.stop();
    await owner.running.stored.completeness.set('declared');
    for (const mark of [...recorded, ...recorded]) {
      await owner.running.stop();
      await show(mark);
      await startAgain(owner);
      expect(owner.running.completeness.doubt).toBeUndefined();
      await further(keeper.link, 2);
      expect(owner.running.completeness.doubt).toBeUndefined();
    }
  });
});

describe('managers of the version before', () => {
  const ofBefore = (headers: Record<string, string>) => {
    delete headers[SEALED];
  };

  it('keep marks, and have theirs kept, as before', async () => {
    const keeper = await startKeeper();
    keeper.link.interference = { request: ofBefore, answer: ofBefore };
    const owner = await startOwner(keeper);
    await grow(2, keeper);
    await expectDoubtAfterSetBack(owner);
  });

  it('do not replace a mark of a later version, and the later version replaces theirs', async () => {
    const keeper = await startKeeper();
    keeper.link.interference = { request: ofBefore, answer: ofBefore };
    const owner = await startOwner(keeper);
    await grow(2, keeper);
    keeper.link.interference = {};
    await grow(1, keeper);
    await until(async () => {
      const { rows } = await keeper.manager.database.pool.query(
        'SELECT FROM key_holder WHERE mark_order > 0',
      );
      return rows.length === 1;
    });
    keeper.link.interference = { request: ofBefore, answer: ofBefore };
    await keeper.manager.manager.send({ ...STANDARD, payload: randomBytes(8), to: [OWNER] });
    await further(keeper.link, 4);
    expect(await keptBy(keeper)).toBe(3);
    // It works with such a peer in all else.
    expect(keeper.manager.parties.find(OWNER)?.url).toBe(owner.running.peerUrl);
    expect(owner.running.completeness.doubt).toBeUndefined();
  });
});
