import type { Database } from '@tetrad/db';
import type { ServiceEnvironment } from '@tetrad/service';
import {
  AuditLog,
  Decisions,
  RequestSigner,
  type SigningAccounts,
  PolicyGate,
  cautionsOf,
  readPolicyFile,
} from '@tetrad/signer-transactions';
import type { DownstreamClient } from '@tetrad/signer-downstream';
import { measureNonces } from './measure-signing.js';
import { doubtReasons, measureDoubts } from './nonce-doubts.js';
import { NodeSequenceClient, sequenceCalls } from './node-sequence-client.js';
import { NonceManager } from '@tetrad/signer-nonces';
import { openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { systemClock } from '@tetrad/types';
import type { SignerConfig } from './config.js';
import { openDatabase } from './database.js';

/** Signing with everything that has to outlive the process, and how to let go of it. */
export interface OpenSigning {
  readonly signer: RequestSigner;
  readonly database: Database;
  readonly store: SignerStore;
  /** Accounts of which the client's transaction count is doubted, with the reason. */
  nonceDoubts(): string[];
  close(): Promise<void>;
}

/** @throws OperatorError when the policy or the database cannot be used */
export async function openSigning(
  config: SignerConfig,
  { logger, metrics }: ServiceEnvironment,
  { accounts, downstream }: { readonly accounts: SigningAccounts; readonly downstream: DownstreamClient },
): Promise<OpenSigning> {
  const policy = config.policyFile === undefined ? undefined : await readPolicyFile(config.policyFile);
  for (const caution of cautionsOf(policy ?? [])) logger.warn('policy loaded with warnings', { caution });
  const { database, close } = await openDatabase(config, logger, { share: false, metrics });
  const store = openSignerStore(database);
  try {
    const nonceManager: NonceManager = new NonceManager({
      store,
      clientFor: (sequence) => new NodeSequenceClient(downstream.onBehalfOf(), sequenceCalls(sequence)),
      fillGap: (sequence, gap) => signer.fillGap(sequence, gap),
      onLedBack: measureDoubts(() => nonceManager.doubted(), metrics),
      logger,
    });
    const decisions = new Decisions({
      audit: new AuditLog(store.audit, systemClock),
      policy: policy === undefined ? undefined : new PolicyGate(policy, store.rates),
    });
    const signer = new RequestSigner({ chainId: BigInt(config.chainId), accounts, decisions, nonceManager });
    await nonceManager.start();
    measureNonces({ store, nonceManager }, metrics);
    return {
      signer,
      database,
      store,
      nonceDoubts: () => doubtReasons(nonceManager.doubted()),
      async close() {
        await nonceManager.stop();
        await store.close();
        await close();
      },
    };
  } catch (error) {
    await store.close();
    await close();
    throw error;
  }
}
