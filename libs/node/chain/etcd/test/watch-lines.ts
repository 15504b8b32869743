import type { ServerResponse } from 'node:http';
import { HEADER, answers, type Play } from './fake-gateway.js';

export const base64 = (text: string) => Buffer.from(text).toString('base64');
export const at = (revision: number, cluster = '77') => ({
  ...HEADER,
  cluster_id: cluster,
  revision: String(revision),
});
export const created = (revision: number, cluster?: string) => ({
  header: at(revision, cluster),
  created: true,
});
export const put = (revision: number, name = 'a') => ({
  kv: { key: base64(`p/${name}`), value: base64(`${name}${revision}`), mod_revision: String(revision) },
});
export const events = (revision: number, ...list: object[]) => ({ header: at(revision), events: list });
export const fragment = (revision: number, ...list: object[]) => ({
  ...events(revision, ...list),
  fragment: true,
});
export const progress = (revision: number) => ({ header: at(revision) });

export function say(response: ServerResponse, ...messages: object[]): void {
  for (const message of messages) response.write(`${JSON.stringify({ result: message })}\n`);
}
/** A stream that stays open. */
export const streams =
  (...messages: object[]): Play =>
  (response) =>
    say(response, ...messages);
/** A stream that ends behind that. */
export const endsAfter =
  (...messages: object[]): Play =>
  (response) => {
    say(response, ...messages);
    response.end();
  };
export const probed = (revision: number, modRevision?: number, cluster?: string): Play =>
  answers({
    header: at(revision, cluster),
    ...(modRevision === undefined ? {} : { kvs: [{ key: 'aA==', mod_revision: String(modRevision) }] }),
  });

/** The revision that a watch was requested from. */
export const startOf = ({ body }: { readonly body: Record<string, unknown> }) =>
  (body['create_request'] as Record<string, unknown>)['start_revision'];
