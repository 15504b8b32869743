import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { Enclave } from '../enclave/enclave.js';
import { ByteBudget } from '../http/byte-budget.js';
import { listenHttp, type HttpPort } from '../http/http-server.js';
import { proofRoute } from '../http/peer-routes.js';
import { requestHandler } from '../http/request-handler.js';
import type { Route } from '../http/route.js';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { PROOF_HEADER, isKeyProof, writeKeyProof } from './key-proof.js';
import { KeyProver } from './key-prover.js';
import { PeerClient } from './peer-client.js';

const newEnclave = () => new Enclave(new KeyRing([generateKeyPair()]));
const [owner, asker, relay] = [newEnclave(), newEnclave(), newEnclave()];
const key = owner.ring.first;
const client = new PeerClient({ timeoutMs: 60_000 });
const ports: HttpPort[] = [];
let ownerUrl: string;

async function open(routesOf: (url: string) => Route[]): Promise<string> {
  const routes: Route[] = [];
  const budget = new ByteBudget(1_000_000);
  const handler = requestHandler({
    name: 'peer',
    routes,
    maxBodyBytes: 100_000,
    budget,
    logger: silentLogger,
    metrics: silentMetrics,
  });
  const port = await listenHttp({ host: '127.0.0.1', port: 0 }, handler);
  ports.push(port);
  routes.push(...routesOf(port.url));
  return port.url;
}

beforeAll(async () => {
  ownerUrl = await open((url) => [proofRoute({ enclave: owner, url })]);
});
afterAll(async () => {
  await client.close();
  for (const port of ports) await port.close();
});

/** A stranger's manager, which passes the challenge on to the owner, and its answer back. */
function openRelay(keepsHeader: boolean): Promise<string> {
  return open(() => [
    {
      method: 'POST',
      path: '/partyinfo/validate',
      async handle({ body }) {
        const { status, text, headers } = await client.post(ownerUrl, 'partyinfo/validate', body);
        const proof = headers[PROOF_HEADER];
        const kept: Record<string, string> = {};
        if (keepsHeader && typeof proof === 'string') kept[PROOF_HEADER] = proof;
        return { status, body: text, headers: kept };
      },
    },
  ]);
}

describe('the proof of a key', () => {
  const prover = new KeyProver({ enclave: asker, peers: client });

  it('names the URL of its owner', async () => {
    expect(await prover.prove(ownerUrl, key)).toBe('bound');
  });

  it.each([
    [true, 'elsewhere'],
    [false, 'unbound'],
  ])('that was relayed names no other URL, with the header %s', async (keepsHeader, proof) => {
    expect(await prover.prove(await openRelay(keepsHeader), key)).toBe(proof);
  });

  it('does not prove another key', async () => {
    expect(await prover.prove(ownerUrl, relay.ring.first)).toBe('none');
  });

  it('is worth nothing for another asker, key, secret or URL', () => {
    const claims = { key, asker: asker.ring.first, secret: 'a'.repeat(36), url: ownerUrl };
    const header = writeKeyProof(claims, owner);
    expect(isKeyProof(header, claims, asker)).toBe(true);
    const another = relay.ring.first;
    const wrong = [{ key: another }, { secret: 'b'.repeat(36) }, { url: 'http://relay/' }];
    for (const change of wrong) expect(isKeyProof(header, { ...claims, ...change }, asker)).toBe(false);
    expect(isKeyProof(header, { ...claims, asker: another }, relay)).toBe(false);
    for (const text of ['', 'AAAA', '*', header.slice(4), 'A'.repeat(10_000)])
      expect(isKeyProof(text, claims, asker)).toBe(false);
  });
});
