import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { recoverAddress } from '@tetrad/crypto';
import { AwsKms, RemoteKey, ServiceGate } from '@tetrad/remote-keys';
import { derOf, findMoto, startMoto, type Moto } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';

const program = findMoto();
const withMoto = program === undefined ? describe.skip : describe;
const TIMEOUT_MS = 60_000;
const DIGEST = new Uint8Array(32).fill(2);
const SECRET = 'not-to-be-shown';
const SIGNATURE = derOf(DIGEST, DIGEST).toString('base64');

let moto: Moto;
let keyId: string;
const closers: (() => void)[] = [];

beforeAll(async () => {
  if (program === undefined) return;
  moto = await startMoto(program);
  keyId = await kmsAt(moto.url).generate('desk', new AbortController().signal);
});
afterEach(() => closers.splice(0).forEach((close) => close()));
afterAll(() => moto?.stop());

function kmsAt(endpoint: string, region = 'eu-west-1'): AwsKms {
  const credentials = { accessKeyId: 'AKIA0', secretAccessKey: SECRET };
  const kms = new AwsKms({ region, endpoint, credentials, timeoutMs: TIMEOUT_MS });
  closers.push(() => kms.close());
  return kms;
}

async function keyOf(kms: AwsKms, id = keyId, timeoutMs = TIMEOUT_MS): Promise<RemoteKey> {
  const gate = new ServiceGate(kms.name, { concurrency: 8, maxWaiting: 100 }, systemClock);
  const key = await RemoteKey.open(kms.key(id), { gate, clock: systemClock, timeoutMs });
  closers.push(() => key.close());
  return key;
}

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that passes requests on to Moto, but for those that the fault answers. */
function faulty(fault: { answer?: (target: string) => { status: number; body: unknown } | undefined }) {
  return serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const target = String(request.headers['x-amz-target']);
      const own = fault.answer?.(target);
      const headers = { 'content-type': 'application/x-amz-json-1.1' };
      if (own !== undefined)
        return void response.writeHead(own.status, headers).end(JSON.stringify(own.body));
      const { authorization = '' } = request.headers;
      const passed = await fetch(moto.url, {
        method: 'POST',
        headers: { ...headers, 'x-amz-target': target, authorization },
        body: Buffer.concat(chunks),
      });
      response.writeHead(passed.status, headers).end(Buffer.from(await passed.arrayBuffer()));
    });
  });
}

withMoto('a key in AWS KMS', () => {
  it('signs, several digests at once', async () => {
    const key = await keyOf(kmsAt(moto.url));
    const digests = Array.from({ length: 20 }, (_, index) => new Uint8Array(32).fill(index));
    const signatures = await Promise.all(digests.map((digest) => key.sign(digest)));
    signatures.forEach((signature, index) =>
      expect(recoverAddress(digests[index] ?? DIGEST, signature)).toBe(key.address),
    );
  });

  it('is named when it is not there', async () => {
    await expect(keyOf(kmsAt(moto.url), 'alias/none')).rejects.toMatchObject({
      code: 'MISSING',
      message: expect.stringMatching(/AWS KMS http.*, key alias\/none: NotFoundException$/),
    });
  });

  it.each([
    ['ThrottlingException', 400],
    ['anything', 429],
  ])('is asked again after %s (%i)', async (type, status) => {
    let left = 2;
    const answer = (target: string) =>
      target.endsWith('.Sign') && left-- > 0 ? { status, body: { __type: type } } : undefined;
    const key = await keyOf(kmsAt(await faulty({ answer })));
    expect(recoverAddress(DIGEST, await key.sign(DIGEST))).toBe(key.address);
    expect(left).toBeLessThan(0);
  });

  it.each([
    ['AccessDeniedException', 400, 'DENIED', /AccessDeniedException; kms:Sign is needed$/],
    ['ExpiredTokenException', 400, 'DENIED', /ExpiredTokenException/],
    ['DisabledException', 400, 'MISSING', /DisabledException/],
    ['KMSInternalException', 500, 'FAILED', /KMSInternalException \(HTTP 500\)$/],
  ])('is not asked again after %s, and says what is wrong', async (type, status, code, text) => {
    let calls = 0;
    const answer = (target: string) => {
      if (!target.endsWith('.Sign')) return undefined;
      calls += 1;
      return { status, body: { __type: type, message: `User arn:aws:iam::1:user/a ${SECRET}` } };
    };
    const key = await keyOf(kmsAt(await faulty({ answer })));
    const error = await key.sign(DIGEST).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code, message: expect.stringMatching(text) });
    expect(String(error)).not.toContain(SECRET);
    expect(calls).toBe(1);
  });

  it('is unavailable when the alias signs with another key', async () => {
    const other = await kmsAt(moto.url).generate('other', new AbortController().signal);
    let id = keyId;
    const kms = kmsAt(moto.url);
    const service = {
      name: 'moved alias',
      readPublicKey: (signal: AbortSignal) => kms.key(id).readPublicKey(signal),
      sign: (digest: Uint8Array, signal: AbortSignal) => kms.key(id).sign(digest, signal),
    };
    const gate = new ServiceGate(kms.name, { concurrency: 1, maxWaiting: 1 }, systemClock);
    const key = await RemoteKey.open(service, { gate, clock: systemClock, timeoutMs: TIMEOUT_MS });
    id = other;
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'WRONG_KEY' });
  });
});

describe('AWS KMS', () => {
  it('is asked once more with the credentials that a file has then, when its own have expired', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'tetrad-aws-')), 'credentials');
    const write = (id: string) =>
      writeFile(file, `[default]\naws_access_key_id = ${id}\naws_secret_access_key = ${SECRET}\n`);
    const given = process.env['AWS_SHARED_CREDENTIALS_FILE'];
    process.env['AWS_SHARED_CREDENTIALS_FILE'] = file;
    closers.push(() => {
      if (given === undefined) delete process.env['AWS_SHARED_CREDENTIALS_FILE'];
      else process.env['AWS_SHARED_CREDENTIALS_FILE'] = given;
    });
    await write('AKIAOLD');
    const asked: string[] = [];
    let current = 'AKIAOLD';
    const url = await serve((request, response) => {
      const id = /Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      asked.push(id);
      if (id === current) response.writeHead(200).end(JSON.stringify({ Signature: SIGNATURE }));
      else response.writeHead(400).end(JSON.stringify({ __type: 'ExpiredTokenException' }));
    });
    const kms = new AwsKms({ region: 'eu-west-1', endpoint: url, timeoutMs: TIMEOUT_MS });
    closers.push(() => kms.close());
    const sign = () => kms.key('desk').sign(DIGEST, AbortSignal.timeout(TIMEOUT_MS));
    await sign();
    current = 'AKIANEW';
    await write('AKIANEW');
    await Promise.all([sign(), sign()]);
    await sign();
    expect(asked).toEqual(['AKIAOLD', 'AKIAOLD', 'AKIAOLD', 'AKIANEW', 'AKIANEW', 'AKIANEW']);
    // None is accepted: each call is made twice, and fails.
    current = 'none';
    await expect(sign()).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringMatching(/ExpiredTokenException/),
    });
    expect(asked).toHaveLength(8);
  });

  it('is not read on when its answer does not end', async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      const write = () => {
        while (!response.destroyed && response.write(chunk)) sent += 1;
        sent += 1;
      };
      response.on('drain', write);
      write();
    });
    const sign = kmsAt(url).key('desk').sign(DIGEST, AbortSignal.timeout(TIMEOUT_MS));
    await expect(sign).rejects.toMatchObject({ code: 'FAILED' });
    expect(sent).toBeLessThan(64);
  });

  it('that cannot be reached is asked until the deadline', async () => {
    const refused = keyOf(kmsAt('http://127.0.0.1:9'), 'alias/any', 500);
    await expect(refused).rejects.toMatchObject({ code: 'TIMED_OUT' });
  });
});

withMoto('the list of a region', () => {
  const signal = () => AbortSignal.timeout(TIMEOUT_MS);
  const all = { names: [], values: [] };

  it('has the secp256k1 keys that sign, and those alone whose tags are all among the filter’s', async () => {
    const settings = { region: 'eu-north-1', endpoint: moto.url };
    const credentials = { accessKeyId: 'AKIA0', secretAccessKey: SECRET };
    const client = new KMSClient({ ...settings, credentials });
    closers.push(() => client.destroy());
    const make = async (
      spec: 'ECC_SECG_P256K1' | 'ECC_NIST_P256',
      tags: Readonly<Record<string, string>>,
    ) => {
      const Tags = Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
      const made = await client.send(new CreateKeyCommand({ KeySpec: spec, KeyUsage: 'SIGN_VERIFY', Tags }));
      return made.KeyMetadata?.KeyId ?? '';
    };
    const plain = await make('ECC_SECG_P256K1', {});
    const desk = await make('ECC_SECG_P256K1', { env: 'prod' });
    const other = await make('ECC_SECG_P256K1', { env: 'prod', owner: 'x' });
    await make('ECC_NIST_P256', { env: 'prod' });
    const kms = kmsAt(moto.url, 'eu-north-1');
    expect(new Set(await kms.list(all, signal()))).toEqual(new Set([plain, desk, other]));
    // A key without tags has none that is not permitted, as in web3signer.
    const byName = await kms.list({ names: ['env'], values: [] }, signal());
    expect(new Set(byName)).toEqual(new Set([plain, desk]));
    const byBoth = await kms.list({ names: ['env', 'owner'], values: ['x'] }, signal());
    expect(byBoth).toEqual([plain]);
  });

  it('that is denied names the permissions', async () => {
    const answer = () => ({ status: 400, body: { __type: 'AccessDeniedException', message: SECRET } });
    await expect(kmsAt(await faulty({ answer })).list(all, signal())).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringMatching(/kms:ListKeys, kms:DescribeKey .* is needed$/),
    });
  });

  it('is asked for again when it is throttled', async () => {
    let throttled = 0;
    const answer = (target: string) =>
      target.endsWith('DescribeKey') && (throttled += 1) <= 2
        ? { status: 400, body: { __type: 'ThrottlingException', message: 'slow down' } }
        : undefined;
    expect(await kmsAt(await faulty({ answer })).list(all, signal())).toContain(keyId);
  });
});
