import { until } from '@tetrad/testkit';
import { request } from 'undici';

const ANSWER_TIMEOUT_MS = 3_000;
const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * Writes through the gateway of a member. Returns the revision.
 * @throws Error when it does not answer, or refuses
 */
export async function put(endpoint: string, key: string, value: string): Promise<number> {
  const { header } = await post(endpoint, 'put', { key: base64(key), value: base64(value) });
  return Number(header?.revision);
}

/** Writes as soon as the cluster lets it: on a busy host members elect again. Returns the revision. */
export function putPatiently(endpoint: string, key: string, value: string): Promise<number> {
  return patiently(() => put(endpoint, key, value));
}

/** A linearizable read, which waits for a quorum; undefined when the key does not exist. */
export async function read(endpoint: string, key: string): Promise<string | undefined> {
  const { kvs } = await patiently(() => post(endpoint, 'range', { key: base64(key) }));
  const value = kvs?.[0]?.value;
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}

/** Ids of the cluster and of the member that answers. */
export async function idsOf(endpoint: string): Promise<{ cluster: string; member: string }> {
  const { header } = await patiently(() => post(endpoint, 'range', { key: base64('any') }));
  return { cluster: header?.cluster_id ?? '', member: header?.member_id ?? '' };
}

/** The last one that was written. */
export async function revisionOf(endpoint: string): Promise<number> {
  const { header } = await patiently(() => post(endpoint, 'range', { key: base64('any') }));
  return Number(header?.revision);
}

/** Retries until there is an answer. */
async function patiently<Answered>(ask: () => Promise<Answered>): Promise<Answered> {
  const answers: Answered[] = [];
  await until(async () => {
    await ask().then(
      (answer) => void answers.push(answer),
      () => undefined,
    );
    return answers.length > 0;
  });
  return answers[0] as Answered;
}

/** The fields that the tests read; integers of 64 bits are text. */
interface Answer {
  readonly header?: { readonly revision?: string; readonly cluster_id?: string; readonly member_id?: string };
  readonly kvs?: readonly { readonly value?: string }[];
}

async function post(endpoint: string, method: 'put' | 'range', body: object): Promise<Answer> {
  const { statusCode, body: answer } = await request(`${endpoint}/v3/kv/${method}`, {
    method: 'POST',
    body: JSON.stringify(body),
    // One that waits for a quorum does not answer; the connection ends with the request.
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    reset: true,
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
  return JSON.parse(text) as Answer;
}
