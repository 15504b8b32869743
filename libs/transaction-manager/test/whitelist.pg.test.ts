import { afterEach, describe, expect, it } from '@jest/globals';
import { startManager, type RunningManager } from './running-managers.js';

let manager: RunningManager | undefined;
afterEach(() => manager?.end());

/** A manager that listens to the peer only. Its loss check and announcements would wait for the peer. */
async function startWith(peer: string): Promise<RunningManager> {
  const options = { peers: [peer], peerTimeoutMs: 50, checksLoss: false };
  manager = await startManager(['a1'], { useWhitelist: true, ...options });
  return manager;
}

const post = async ({ peerUrl }: RunningManager, path: string): Promise<number> => {
  const headers = { 'content-type': 'application/octet-stream' };
  const { status } = await fetch(peerUrl + path, { method: 'POST', headers, body: new Uint8Array(8) });
  return status;
};

describe('a manager with a whitelist', () => {
  it.each(['push', 'pushes', 'resend', 'partyinfo', 'partyinfo/validate'])(
    'refuses /%s from a host that is not a peer',
    async (path) => {
      expect(await post(await startWith('http://192.0.2.7:9103/'), path)).toBe(403);
    },
  );

  it('serves the hosts of its peers, whatever port they come from', async () => {
    const { peerUrl } = await startWith('http://127.0.0.1:1/');
    expect((await fetch(`${peerUrl}version`)).status).toBe(200);
  });

  it('answers a platform that asks whether it is up, and its own node', async () => {
    const { peerUrl, clientUrl } = await startWith('http://192.0.2.7:9103/');
    expect(await (await fetch(`${peerUrl}upcheck`)).text()).toBe("I'm up!");
    expect((await fetch(`${clientUrl}version`)).status).toBe(200);
  });
});
