import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { writeJson } from '@tetrad/rpc';
import { Agent, request } from 'undici';
import { TetradError } from '@tetrad/types';
import { isPrivateAddress } from './private-addresses.js';

/** The URL may not be called: wrong scheme, credentials in it, or a host that is not public. */
export class CallbackNotAllowedError extends TetradError {
  override readonly name = 'CallbackNotAllowedError';
  override readonly code = 'CALLBACK_NOT_ALLOWED';
}

/** The URL may be called but did not take the message. */
export class CallbackFailedError extends TetradError {
  override readonly name = 'CallbackFailedError';
  override readonly code = 'CALLBACK_FAILED';
}

/** Posts messages to URLs that callers supply, without giving callers access to the internal network. */
export interface CallbackSender {
  /** @throws CallbackNotAllowedError; CallbackFailedError when the host's name cannot be resolved */
  check(url: string): Promise<void>;
  /**
   * Posts one JSON object and a newline; redirects are not followed.
   * @throws as `check`, or CallbackFailedError
   */
  post(url: string, message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Resolves a name to all its addresses. */
export type ResolveAll = (hostname: string) => Promise<readonly LookupAddress[]>;

const DEFAULT_TIMEOUT_MS = 10_000;
/** The answer does not matter; more than this of it is not read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * The address is checked at the moment of connecting, so a name that resolves to something else the second time
 * (DNS rebinding) gains nothing.
 * @param options.allowPrivate - whether loopback, link-local and private addresses may be called
 */
export function createCallbackSender(options: {
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
  readonly resolve?: ResolveAll;
}): CallbackSender {
  const { allowPrivate, timeoutMs = DEFAULT_TIMEOUT_MS, resolve = resolveBySystem } = options;
  const resolveAllowed = async (hostname: string) => {
    const addresses = await resolve(hostname).catch(() => {
      throw new CallbackFailedError(`the name ${hostname} cannot be resolved`);
    });
    for (const { address } of addresses) assertAllowed(address, hostname, allowPrivate);
    return addresses;
  };
  const agent = new Agent({
    connect: { lookup: lookupWith(resolveAllowed), timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const check = async (text: string) => {
    const hostname = hostOf(text);
    if (isIP(hostname) !== 0) assertAllowed(hostname, hostname, allowPrivate);
    else await resolveAllowed(hostname);
  };
  return {
    check,
    async post(url, message) {
      await check(url);
      await deliver(url, { agent, body: `${writeJson(message)}\n`, signal: AbortSignal.timeout(timeoutMs) });
    },
    close: () => agent.close(),
  };
}

/**
 * The host without the brackets of IPv6.
 * @throws CallbackNotAllowedError
 */
function hostOf(text: string): string {
  if (!URL.canParse(text)) throw new CallbackNotAllowedError('not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new CallbackNotAllowedError('only http and https URLs are allowed');
  }
  if (url.username !== '' || url.password !== '') {
    throw new CallbackNotAllowedError('credentials in the URL are not allowed');
  }
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function assertAllowed(address: string, hostname: string, allowPrivate: boolean): void {
  if (allowPrivate || !isPrivateAddress(address)) return;
  throw new CallbackNotAllowedError(`${hostname} is a loopback, link-local or private address`);
}

async function deliver(
  url: string,
  parts: { agent: Agent; body: string; signal: AbortSignal },
): Promise<void> {
  const { agent, body, signal } = parts;
  const response = await request(url, {
    method: 'POST',
    dispatcher: agent,
    signal,
    headers: { 'content-type': 'application/json' },
    body,
  }).catch((error: unknown) => {
    throw asCallbackError(error);
  });
  await response.body.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined);
}

function asCallbackError(error: unknown): Error {
  if (error instanceof CallbackNotAllowedError || error instanceof CallbackFailedError) return error;
  return new CallbackFailedError(`not delivered: ${error instanceof Error ? error.message : String(error)}`);
}

function resolveBySystem(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((done, fail) => {
    systemLookup(hostname, { all: true }, (error, addresses) =>
      error === null ? done(addresses) : fail(error),
    );
  });
}

/** Resolves in the two forms that sockets request: one address, or all of them. */
function lookupWith(resolve: ResolveAll): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all === true) callback(null, [...addresses]);
        else if (first !== undefined) callback(null, first.address, first.family);
        else callback(new CallbackFailedError(`the name ${hostname} has no address`), '', 0);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}
