import { readJson } from '@tetrad/rpc';
import { RefusedRequest } from './calls.js';
import { EndpointUnavailable } from './endpoint-client.js';

/** Levels of an answer: a batch, an answer in it, and a page of records with an order each. */
const MAX_DEPTH = 16;
/** With it the commitment to a balance or an order can be opened. */
const SECRET_MEMBER = 'blindingFactor';

/**
 * The console asks the operator with a token of its own, which is for every account. A reader whose token is bound to accounts
 * would see the others too.
 * @param claim - the one that lists the accounts of a token
 * @throws RefusedRequest
 */
export function assertReadsAllAccounts(
  claims: Readonly<Record<string, unknown>> | undefined,
  claim: string,
): void {
  if (claims !== undefined && Object.hasOwn(claims, claim))
    throw new RefusedRequest(403, 'your token is bound to accounts of the rollup: ask the operator itself');
}

/**
 * An answer of the operator as the page gets it: without blinding factors, and with integers beyond 2^53 as decimal text, which
 * a browser would round.
 * @throws EndpointUnavailable when it is not JSON
 */
export function shownRollupAnswer(body: Uint8Array): string {
  return JSON.stringify(parse(body), (name, value: unknown) => {
    if (name === SECRET_MEMBER) return undefined;
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

function parse(body: Uint8Array): unknown {
  try {
    return readJson(body, MAX_DEPTH);
  } catch {
    throw new EndpointUnavailable('answers with what is not JSON');
  }
}
