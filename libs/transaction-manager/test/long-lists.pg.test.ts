import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

/** Of which a list of 1,000 groups with 1,000 members each has more than ten times. */
const HELD_BYTES = 4 * 1_048_576;
/** What that many callers leave behind is more, if nothing of it is given back: each has read one of the pages of 352 KiB. */
const CALLERS = 14;
const A1 = recordedPair('a1').publicKey;

let manager: RunningManager;
beforeAll(async () => {
  const residentGroups = [{ name: 'ONE', description: '', members: [A1] }];
  manager = await startManager(['a1'], { residentGroups, maxHeldBytes: HELD_BYTES });
  // As many as a list has, and one more; of members as many as a group has.
  await manager.database.pool.query(
    `INSERT INTO privacy_group (id, lookup, name, description, seed, members, kind, active)
     SELECT decode(lpad(to_hex(at), 64, '0'), 'hex'), decode(repeat('ab', 32), 'hex'), 'group ' || at, '', '',
            array_fill(decode(repeat('cd', 32), 'hex'), ARRAY[1000]), 'PANTHEON', true
       FROM generate_series(1, 1001) AS at`,
  );
});
afterAll(() => manager.end());

interface Listed {
  readonly name: string;
  readonly members: readonly string[];
}

/** The groups of the answer, of whose first piece the caller has read when others ask. */
async function readSlowly(answer: Response, meanwhile: () => Promise<void>): Promise<Listed[]> {
  const decoder = new TextDecoder();
  let text = '';
  let pieces = 0;
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (pieces++ === 0) await meanwhile();
    text += decoder.decode(piece, { stream: true });
  }
  return JSON.parse(text) as Listed[];
}

describe('the longest list of groups', () => {
  it('is sent in pieces, of which few are held, while others are answered', async () => {
    const answer = await fetch(`${manager.clientUrl}groups/pantheon`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    const groups = await readSlowly(answer, async () => {
      expect((await fetch(`${manager.clientUrl}upcheck`)).status).toBe(200);
      expect((await fetch(`${manager.clientUrl}groups/resident`)).status).toBe(200);
    });
    expect(groups).toHaveLength(1_000);
    expect(groups.map(({ name }) => name)).toEqual(groups.map((_, at) => `group ${at + 1}`));
    expect(groups.every(({ members }) => members.length === 1_000)).toBe(true);
  });

  it('ends for a caller that goes away, and gives back what it held', async () => {
    for (let caller = 0; caller < CALLERS; caller += 1) {
      const cut = new AbortController();
      const answer = await fetch(`${manager.clientUrl}groups/pantheon`, { signal: cut.signal });
      await answer.body?.getReader().read();
      cut.abort();
    }
    const again = await fetch(`${manager.clientUrl}groups/pantheon`);
    expect(JSON.parse(await again.text())).toHaveLength(1_000);
  });

  it('is cut short, and not taken for a whole one, when the database is lost', async () => {
    const answer = await fetch(`${manager.clientUrl}groups/pantheon`);
    const rest = readSlowly(answer, async () => {
      await manager.database.pool.query('ALTER TABLE privacy_group RENAME TO lost');
    });
    await expect(rest).rejects.toThrow();
    await manager.database.pool.query('ALTER TABLE lost RENAME TO privacy_group');
  });
});
