import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CircuitError, SRS_FOLDER, loadCircuit } from '../circuit-cache.js';
import { openProverLibrary } from '../prover-library.js';
import { checkPoints } from './check-points.js';
import { assertEnoughPoints } from './enough-points.js';
import { fetchPoints } from './fetch-points.js';
import {
  G1_FILE,
  G2_FILE,
  PINNED_POINTS,
  POINT_BYTES,
  assertPinnedPoints,
  pointsFor,
} from './points-file.js';

/** Points of the ceremony that are compared, as if only the first were known. */
const CHECKED = 300;
const MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;

let folder: string;
let ceremony: Buffer;
const servers: Server[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-points-'));
  ceremony = await readFile(join(SRS_FOLDER, G1_FILE));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});

/** A file of the first points, changed. */
async function changed(change: (bytes: Buffer) => void, count = CHECKED): Promise<string> {
  const bytes = Buffer.from(ceremony.subarray(0, count * POINT_BYTES));
  change(bytes);
  const path = join(folder, 'changed.dat');
  await writeFile(path, bytes);
  return path;
}

const pointAt = (bytes: Buffer, index: number) =>
  bytes.subarray(index * POINT_BYTES, (index + 1) * POINT_BYTES);
const check = (path: string) => checkPoints(path, { count: CHECKED, after: 0 });

describe('points of a file', () => {
  it('are accepted when each follows from the one before, in several parts', async () => {
    const seen: number[] = [];
    const path = join(SRS_FOLDER, G1_FILE);
    await checkPoints(path, { count: 8_400, after: 100, onProgress: (checked) => seen.push(checked) });
    expect(seen).toEqual([8_293, 8_400]);
  });

  it.each<[string, (bytes: Buffer) => void, RegExp]>([
    [
      'another point of the ceremony',
      (bytes) => pointAt(bytes, 200).set(pointAt(bytes, 7)),
      /point 200 is not of the ceremony/,
    ],
    [
      'two points in each other’s places',
      (bytes) => {
        const [one, other] = [Buffer.from(pointAt(bytes, 100)), Buffer.from(pointAt(bytes, 101))];
        pointAt(bytes, 100).set(other);
        pointAt(bytes, 101).set(one);
      },
      /point 100 is not of the ceremony/,
    ],
    [
      'a point with the other sign',
      (bytes) => {
        const y = BigInt(`0x${pointAt(bytes, 250).subarray(32).toString('hex')}`);
        pointAt(bytes, 250)
          .subarray(32)
          .set(Buffer.from((MODULUS - y).toString(16).padStart(64, '0'), 'hex'));
      },
      /point 250 is not of the ceremony/,
    ],
    [
      'a point that is not on the curve',
      (bytes) => void pointAt(bytes, 5).writeUInt8((bytes[5 * POINT_BYTES + 63] ?? 0) ^ 1, 63),
      /point 5 is not on the curve/,
    ],
    [
      'a number above the modulus',
      (bytes) => {
        const x = BigInt(`0x${pointAt(bytes, 0).subarray(0, 32).toString('hex')}`);
        pointAt(bytes, 0).set(Buffer.from((x + MODULUS).toString(16).padStart(64, '0'), 'hex'));
      },
      /point 0 is not on the curve/,
    ],
    ['infinity', (bytes) => pointAt(bytes, 9).fill(0), /point 9 is not on the curve/],
  ])('are refused with %s', async (_, change, message) => {
    const checking = check(await changed(change));
    await expect(checking).rejects.toThrow(message);
    await expect(checking).rejects.toBeInstanceOf(CircuitError);
  });

  it('are refused when there are too few, or no file', async () => {
    await expect(check(await changed(() => undefined, CHECKED - 1))).rejects.toThrow(
      `has ${CHECKED - 1} points, not ${CHECKED}`,
    );
    await expect(check(join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
  });
});

describe('a prover', () => {
  it('starts with no points but those of the ceremony', async () => {
    const other = await mkdtemp(join(folder, 'other-'));
    await writeFile(join(other, G1_FILE), await readFile(await changed(() => undefined, PINNED_POINTS)));
    await assertPinnedPoints(other);
    // Points of a secret that is known begin with the generator as well, and go on differently.
    const bytes = await readFile(join(other, G1_FILE));
    pointAt(bytes, 1).set(pointAt(bytes, 2));
    await writeFile(join(other, G1_FILE), bytes);
    await expect(openProverLibrary({ pointsFolder: other })).rejects.toThrow(
      'does not hold the proving points of the ceremony',
    );
    await expect(openProverLibrary({ pointsFolder: join(other, 'none') })).rejects.toThrow('ENOENT');
  });

  it('leaves the folder of its points as it is: it may be a volume that is mounted read-only', async () => {
    const mounted = await mkdtemp(join(folder, 'mounted-'));
    for (const name of [G1_FILE, G2_FILE])
      await writeFile(join(mounted, name), await readFile(join(SRS_FOLDER, name)));
    // No obstacle for an administrator, whom the list of names finds.
    await chmod(mounted, 0o555);
    const { bytecode, verificationKey } = await loadCircuit(1);
    const library = await openProverLibrary({ pointsFolder: mounted });
    const made = await library.verificationKey(bytecode);
    expect((await readdir(library.folder)).sort()).toEqual(expect.arrayContaining([G1_FILE, G2_FILE]));
    await library.close();
    await expect(readdir(library.folder)).rejects.toThrow('ENOENT');
    await chmod(mounted, 0o755);
    expect(Buffer.from(made).equals(verificationKey)).toBe(true);
    expect((await readdir(mounted)).sort()).toEqual([G1_FILE, G2_FILE]);
  });

  it('is not started for a size that its points are too few for', async () => {
    await assertEnoughPoints([1, 2], undefined);
    const few = await mkdtemp(join(folder, 'few-'));
    await writeFile(join(few, G1_FILE), ceremony);
    await assertEnoughPoints([2], few);
    const outcome = assertEnoughPoints([2, 8], few);
    await expect(outcome).rejects.toBeInstanceOf(CircuitError);
    await expect(outcome).rejects.toThrow(
      `batches of 8 need 131073 proving points, and ${join(few, G1_FILE)} has 32769; fetch them with: ` +
        `rollup-operator fetch-points --size 8 --from URL|FILE --points-dir ${few}`,
    );
    await expect(assertEnoughPoints([32], undefined)).rejects.toThrow('batches of 32 need 524289');
  });

  it('needs so many points that its circuit fits', () => {
    expect([1, 2, 8, 32].map(pointsFor)).toEqual([15, 15, 17, 19].map((power) => 2 ** power + 1));
  });
});

describe('fetching points', () => {
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/g1`;
  }
  const fetched = async (from: string, stalledMs?: number) => {
    const into = await mkdtemp(join(folder, 'fetched-'));
    const options = { from, folder: into, count: PINNED_POINTS };
    const outcome = await fetchPoints(stalledMs === undefined ? options : { ...options, stalledMs }).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    return { names: (await readdir(into)).sort(), into, outcome };
  };

  it('takes them from a file, and writes both files that the prover reads', async () => {
    const { into, names, outcome } = await fetched(join(SRS_FOLDER, G1_FILE));
    expect([outcome, names]).toEqual([undefined, [G1_FILE, G2_FILE]]);
    expect((await readFile(join(into, G1_FILE))).equals(ceremony)).toBe(true);
    await assertPinnedPoints(into);
  });

  it('takes no more than it needs from a server that sends without end', async () => {
    let range: string | undefined;
    const url = await serve((request, response) => {
      range = request.headers.range;
      response.write(ceremony);
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(65_536), more);
      };
      more();
    });
    const { names, outcome } = await fetched(url);
    expect([outcome, names]).toEqual([undefined, [G1_FILE, G2_FILE]]);
    expect(range).toBe(`bytes=0-${PINNED_POINTS * POINT_BYTES - 1}`);
  });

  it.each<[string, RequestListener, RegExp]>([
    ['is missing there', (_, response) => void response.writeHead(404).end(), /answers with status 404/],
    ['is shorter', (_, response) => void response.end(ceremony.subarray(0, 640)), /has 10 points, not 32769/],
    [
      'ends in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': ceremony.length });
        response.write(ceremony.subarray(0, 100_000), () => response.destroy());
      },
      /^http.*: /,
    ],
    [
      'stops coming',
      (_, response) => void response.write(ceremony.subarray(0, 100_000)),
      /no byte in 300 ms/,
    ],
    [
      'is of another ceremony',
      (_, response) => {
        const other = Buffer.from(ceremony);
        pointAt(other, 1).set(pointAt(other, 2));
        response.end(other);
      },
      /does not hold the proving points of the ceremony/,
    ],
  ])('leaves the folder as it was when the file %s', async (when, listener, message) => {
    // Only a source that stalls is given so little time: a busy host may be slower than that.
    const { names, outcome } = await fetched(
      await serve(listener),
      when === 'stops coming' ? 300 : undefined,
    );
    expect(outcome).toBeInstanceOf(CircuitError);
    expect(outcome?.message).toMatch(message);
    expect(names).toEqual([]);
  });

  it('names a server that cannot be reached', async () => {
    const url = await serve(() => undefined);
    await new Promise((done) => servers.pop()?.close(done));
    const { outcome } = await fetched(url);
    expect(outcome?.message).toMatch(/cannot be fetched: .*ECONNREFUSED/);
  });
});
