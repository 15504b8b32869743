import { execFile } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CircuitError, SRS_FOLDER } from '../circuit-cache.js';
import { fetchPoints } from './fetch-points.js';
import type { SourceLimits } from './open-source.js';
import { G1_FILE, G2_FILE, PINNED_POINTS, POINT_BYTES, assertPinnedPoints } from './points-file.js';

let folder: string;
let ceremony: Buffer;
const servers: Server[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-fetched-'));
  ceremony = await readFile(join(SRS_FOLDER, G1_FILE));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});

const pointAt = (bytes: Buffer, index: number) =>
  bytes.subarray(index * POINT_BYTES, (index + 1) * POINT_BYTES);

describe('fetching points', () => {
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/g1`;
  }
  const fetched = async (from: string, limits: SourceLimits = {}) => {
    const into = await mkdtemp(join(folder, 'fetched-'));
    const outcome = await fetchPoints({ from, folder: into, count: PINNED_POINTS, ...limits }).then(
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
      const more = (error?: Error | null) => {
        if (!error) response.write(Buffer.alloc(65_536), more);
      };
      more();
    });
    const { names, outcome } = await fetched(url);
    expect([outcome, names]).toEqual([undefined, [G1_FILE, G2_FILE]]);
    expect(range).toBe(`bytes=0-${65_536 + PINNED_POINTS * POINT_BYTES - 1}`);
  });

  it('takes them from a pipe', async () => {
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const writing = writeFile(pipe, ceremony);
    const { outcome } = await fetched(pipe);
    await writing;
    expect(outcome).toBeUndefined();
  });

  it('gives up a server that sends a little now and then for ever', async () => {
    const url = await serve((_, response) => {
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(10), () => setTimeout(more, 20));
      };
      more();
    });
    const { names, outcome } = await fetched(url, { stalledMs: 1_000, leastBytesASecond: 10_000_000 });
    expect(outcome).toBeInstanceOf(CircuitError);
    expect(outcome?.message).toBe(`${url}: slower than 10000000 bytes a second`);
    expect(names).toEqual([]);
  });

  it('ends with a source of other points that sends without end', async () => {
    const url = await serve((_, response) => {
      const more = (error?: Error | null) => {
        if (!error) response.write(Buffer.alloc(65_536, 7), more);
      };
      more();
    });
    const { outcome } = await fetched(url);
    expect(outcome?.message).toBe(
      `${url} does not hold the proving points of the ceremony: in no form that is known`,
    );
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ['a file of snarkjs', 'ptau\u0001\0\0\0', /\(\.ptau\) is of another ceremony/],
    ['a key of snarkjs', 'zkey\u0001\0\0\0', /without points of the ceremony/],
    ['the name of a file in Git LFS', 'version https://git-lfs.github.com/spec/v1\n', /git lfs pull/],
    ['a packed file', Uint8Array.of(0x1f, 0x8b, 8, 0), /unpack it first/],
    ['a page', '<!doctype html>', /a text, perhaps a page/],
    ['nothing', '', /in no form that is known/],
  ])('says what it takes %s for', async (_, content, message) => {
    const path = join(folder, 'other');
    await writeFile(path, content);
    const { names, outcome } = await fetched(path);
    expect(outcome).toBeInstanceOf(CircuitError);
    expect(outcome?.message).toMatch(message);
    expect(names).toEqual([]);
  });

  it('names a path that is not a file', async () => {
    expect((await fetched(join(folder, 'none'))).outcome?.message).toMatch(/none: ENOENT/);
    expect((await fetched(folder)).outcome?.message).toMatch(/: EISDIR/);
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
    [
      'has another point among those that are known',
      (_, response) => {
        const other = Buffer.from(ceremony);
        pointAt(other, PINNED_POINTS - 1).set(pointAt(other, 2));
        response.end(other);
      },
      /does not hold the proving points of the ceremony: point 32768 of the first 32769 is another/,
    ],
  ])('leaves the folder as it was when the file %s', async (when, listener, message) => {
    // Only a source that stalls is given so little time: a busy host may be slower than that.
    const { names, outcome } = await fetched(
      await serve(listener),
      when === 'stops coming' ? { stalledMs: 300 } : {},
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
