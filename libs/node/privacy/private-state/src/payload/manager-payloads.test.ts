import { expect, it } from '@jest/globals';
import type { ManagerFeatures, Outcome } from '@tetrad/transaction-manager-client';
import { ManagerPayloads } from './manager-payloads.js';

const withFlags = { version: '2.1', privacyFlags: true } as ManagerFeatures;
const without = { version: '1.0', privacyFlags: false } as ManagerFeatures;

/** Caches the features of a manager, as the client does. */
function fakeClient(first: Outcome<ManagerFeatures>) {
  let known: Outcome<ManagerFeatures> | undefined;
  const client = {
    says: first,
    features: async () => (known ??= client.says),
    refreshFeatures: async () => (known = client.says),
    find: async () => ({ kind: 'not-found' }) as const,
  };
  return client;
}

it('a manager that became unavailable after its features were cached is noticed only by a fresh request', async () => {
  const client = fakeClient({ kind: 'done', value: withFlags });
  const payloads = new ManagerPayloads(client, { needsPrivacyFlags: true });
  expect(await payloads.findObstacle()).toBeUndefined();
  client.says = { kind: 'unknown', reason: 'connect ECONNREFUSED' };
  expect(await payloads.findObstacle()).toBeUndefined();
  expect(await payloads.findPresentObstacle()).toBe(
    'private transaction manager is not ready: connect ECONNREFUSED',
  );
  client.says = { kind: 'done', value: withFlags };
  expect(await payloads.findPresentObstacle()).toBeUndefined();
});

it.each<[Outcome<ManagerFeatures>, boolean, string | undefined]>([
  [
    { kind: 'refused', status: 503, text: 'starting' },
    false,
    'private transaction manager is not ready: 503',
  ],
  [{ kind: 'done', value: without }, true, 'private transaction manager does not support privacy'],
  [{ kind: 'done', value: without }, false, undefined],
])('what the manager says of itself decides: %j', async (says, needsPrivacyFlags, obstacle) => {
  const payloads = new ManagerPayloads(fakeClient(says), { needsPrivacyFlags });
  const found = await payloads.findPresentObstacle();
  if (obstacle === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(obstacle);
});
