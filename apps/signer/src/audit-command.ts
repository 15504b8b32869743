import {
  codecOption,
  databaseOptions,
  defineOptions,
  option,
  type ConfigOf,
  type OptionType,
  type ServiceEnvironment,
} from '@tetrad/service';
import { faultOfHead, verifyAuditChain } from '@tetrad/signer-transactions';
import { openSignerStore, type AuditHead } from '@tetrad/signer-store';
import { OperatorError, bytesFromHex, hexFromBytes } from '@tetrad/types';
import { z } from 'zod';
import { signerOptions } from './config.js';
import { openDatabase } from './database.js';

/** Options of `signer audit verify`. */
export const auditOptions = defineOptions({
  ...databaseOptions,
  dataDir: signerOptions.dataDir,
  logLevel: signerOptions.logLevel,
  expectedHead: option(headOption(), {
    group: 'Audit',
    description:
      'Entry that the log must contain, as printed by an earlier verification. By default the head stored in the database, which anyone with write access to it can change.',
  }),
});

/** `sequence:hash`. */
function headOption(): OptionType<AuditHead> {
  const codec = z.codec(z.string().regex(/^\d{1,15}:0x[0-9a-f]{64}$/i), z.custom<AuditHead>(), {
    decode: (text) => {
      const [sequence = '', hash = ''] = text.split(':');
      return { sequence: Number(sequence), hash: bytesFromHex(hash) };
    },
    encode: formatHead,
  });
  return codecOption<AuditHead>(codec, {
    placeholder: 'SEQUENCE:HASH',
    rule: 'must be a number, a colon and 32 bytes of hex after 0x',
  });
}

function formatHead({ sequence, hash }: AuditHead): string {
  return `${sequence}:${hexFromBytes(hash)}`;
}

/**
 * Reads the audit log and verifies that it is unchanged.
 * @returns a line for the operator, with the head to keep elsewhere
 * @throws OperatorError naming the first bad entry; when the database is missing or cannot be used
 */
export async function verifyAudit(
  config: ConfigOf<typeof auditOptions>,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): Promise<string> {
  const reading = { ...config, migrate: false, databasePoolSize: 2 };
  const { database, close } = await openDatabase(reading, logger, { share: true, existing: true });
  const store = openSignerStore(database);
  try {
    const end = await store.audit.end();
    const verdict = await verifyAuditChain(store.audit.rows(), config.expectedHead ?? end.head);
    const fault = verdict.intact ? faultOfHead(end) : verdict.fault.message;
    if (!verdict.intact || fault !== undefined)
      throw new OperatorError(`the audit log is not intact: ${fault}`);
    return `the audit log is intact: ${verdict.entries} entries, head ${formatHead(verdict.head)}`;
  } finally {
    await store.close();
    await close();
  }
}
