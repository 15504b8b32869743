import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { obliging, startFakeNode, type FakeNode } from './fake-node.js';
import { KA, REFERENCE_CHAIN } from './reference-keys.js';
import { startSigner, type RunningSigner, type SignerSettings } from './running-signer.js';

/** A fake Ethereum client and the signer in front of it; there while tests run. */
export interface FakeSetup {
  readonly node: FakeNode;
  readonly signer: RunningSigner & { readonly databaseUrl: string };
}

/** What the reference signs with: key KA on chain 9. */
export const REFERENCE = { chainId: REFERENCE_CHAIN, privateKey: KA };

export interface FakeSettings extends Omit<SignerSettings, 'downstreamPort'> {
  /** How long the signer waits for the client; by default longer than a busy host needs for any answer. */
  readonly requestTimeoutMs?: number;
}

/** For tests in which the client stays silent. */
export const IMPATIENT_MS = 3_000;

/**
 * Starts both for all tests of a file, or of the `describe` that calls it; before each test the client obliges again
 * and has seen nothing.
 */
export function useFakeNode(settings: FakeSettings = REFERENCE): FakeSetup {
  const { requestTimeoutMs = 60_000, flags: more = [], ...others } = settings;
  const flags = ['--downstream-http-request-timeout', String(requestTimeoutMs), ...more];
  let node: FakeNode | undefined;
  let signer: FakeSetup['signer'] | undefined;
  beforeAll(async () => {
    node = await startFakeNode();
    signer = await startSigner({ downstreamPort: node.port, ...others, flags });
  });
  afterAll(async () => {
    await signer?.stop();
    await node?.stop();
  });
  beforeEach(() => node?.behave(obliging));
  return {
    get node() {
      return started(node);
    },
    get signer() {
      return started(signer);
    },
  };
}

function started<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('it is there while tests run only');
  return one;
}
