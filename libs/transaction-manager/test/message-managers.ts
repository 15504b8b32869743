import { until } from '@tetrad/testkit';
import type { PtmKey } from '@tetrad/types';
import { Enclave } from '../src/enclave/enclave.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { sealMessage } from '../src/message/sealed-message.js';
import { LinkBetween, type Interference } from './link-between.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

/** Keys of the managers that send and receive. */
export const A = recordedPair('a1').publicKey;
export const B = recordedPair('b1').publicKey;

const BYTES = { 'content-type': 'application/octet-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

const opened: { end(): Promise<void> }[] = [];

/** Ends what was started, the last first. */
export async function endAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) await one.end();
}

/** Has `endAll` end it. */
export function endLater(one: { end(): Promise<void> }): void {
  opened.push(one);
}

export interface Read {
  readonly id: string;
  readonly from: PtmKey;
  readonly to: PtmKey;
  readonly kind: string;
  readonly body: string;
}

export async function start(
  name: string,
  options: Parameters<typeof startManager>[1] = {},
): Promise<RunningManager> {
  const manager = await startManager([name], options);
  opened.push(manager);
  return manager;
}

/** Two managers that know each other; what `a` sends to `b` passes the link. */
export async function startPair(
  interference: Interference = {},
): Promise<{ a: RunningManager; b: RunningManager; link: LinkBetween }> {
  const link = await LinkBetween.start();
  link.interference = interference;
  opened.push(link);
  const b = await start('b1', { url: link.url });
  link.target = b.peerUrl;
  const a = await start('a1', { peers: [link.url] });
  await until(() => a.parties.find(B) !== undefined && b.parties.find(A) !== undefined);
  return { a, b, link };
}

export async function give(
  manager: RunningManager,
  message: object,
): Promise<{ status: number; text: string }> {
  const body = JSON.stringify(message);
  const at = new URL('partymessages', manager.clientUrl);
  const answer = await fetch(at, { method: 'POST', headers: JSON_TYPE, body });
  return { status: answer.status, text: await answer.text() };
}

export function messageOf(text: string, more: object = {}): object {
  return { from: A, to: B, kind: 'test', body: Buffer.from(text).toString('base64'), ...more };
}

export async function read(manager: RunningManager, max = 64): Promise<Read[]> {
  const answer = await fetch(new URL(`partymessages?max=${max}`, manager.clientUrl));
  return ((await answer.json()) as { messages: Read[] }).messages;
}

export async function textsOf(manager: RunningManager): Promise<string[]> {
  return (await read(manager)).map(({ body }) => Buffer.from(body, 'base64').toString());
}

export async function acknowledge(manager: RunningManager, ids: readonly string[]): Promise<number> {
  const body = JSON.stringify({ ids });
  const at = new URL('partymessages/acknowledge', manager.clientUrl);
  return (await fetch(at, { method: 'POST', headers: JSON_TYPE, body })).status;
}

/** Posts bytes as a manager would that has the recorded key of `a`, or another one. */
export async function post(
  manager: RunningManager,
  sealed: Uint8Array,
  path: 'partymessage' | 'partymessages' = 'partymessage',
): Promise<{ status: number; text: string }> {
  const at = new URL(path, manager.peerUrl);
  const answer = await fetch(at, { method: 'POST', headers: BYTES, body: Buffer.from(sealed) });
  return { status: answer.status, text: await answer.text() };
}

export function sealedByA(order: bigint, text: string, to = B): Uint8Array {
  const enclave = new Enclave(new KeyRing([recordedPair('a1')]));
  return sealMessage({ from: A, to, order, kind: 'test', body: Buffer.from(text) }, enclave);
}
