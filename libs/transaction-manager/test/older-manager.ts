import { until } from '@tetrad/testkit';
import { encodePartyInfo } from '../src/party/party-info.js';
import { startManager, type RunningManager } from './running-managers.js';

/** A manager that another one takes for one without privacy flags, since its versions are not announced. */
export async function startOlderManager(
  peerUrl: string,
): Promise<{ readonly key: string; readonly manager: RunningManager }> {
  // It accepts no manager but one that is not there, and so announces itself to none; requests come from its host.
  const manager = await startManager(['a2'], { useWhitelist: true, peers: ['http://127.0.0.1:1/'] });
  const url = manager.peerUrl;
  const { keys } = manager.parties.toPartyInfo();
  const body = Buffer.from(encodePartyInfo({ url, keys, parties: [] }));
  const headers = { 'content-type': 'application/octet-stream' };
  const at = new URL('partyinfo', peerUrl);
  await until(async () => (await fetch(at, { method: 'POST', headers, body })).ok);
  return { key: keys[0]?.key ?? '', manager };
}
