import {
  databaseOptions,
  defineOptions,
  option,
  type ConfigOf,
  type OptionType,
  type ServiceEnvironment,
} from '@tetrad/service';
import { verifyAuditChain } from '@tetrad/signer-audit';
import { openSignerStore, type AuditHead } from '@tetrad/signer-store';
import { OperatorError, bytesFromHex, hexFromBytes } from '@tetrad/types';
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
      'Entry that must be in the log, as an earlier verification printed it. Without it the head in the database counts, which whoever can write there can change.',
  }),
});

/** `sequence:hash`. */
function headOption(): OptionType<AuditHead> {
  return {
    placeholder: 'SEQUENCE:HASH',
    toml: 'string',
    format: formatHead,
    parse(text) {
      const [, sequence, hash] = /^(\d{1,15}):(0x[0-9a-f]{64})$/i.exec(text) ?? [];
      if (sequence === undefined || hash === undefined) {
        throw new RangeError('must be a number, a colon and 32 bytes of hex after 0x');
      }
      return { sequence: Number(sequence), hash: bytesFromHex(hash) };
    },
  };
}

function formatHead({ sequence, hash }: AuditHead): string {
  return `${sequence}:${hexFromBytes(hash)}`;
}

/**
 * Reads the audit log and says whether it is what was written.
 *
 * Out:   a line for the operator, with the head to keep elsewhere
 * Fails: OperatorError naming the first bad entry; when the database cannot be used
 */
export async function verifyAudit(
  config: ConfigOf<typeof auditOptions>,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): Promise<string> {
  const reading = { ...config, migrate: false, databasePoolSize: 2 };
  const { database, close } = await openDatabase(reading, logger, { share: true });
  const store = openSignerStore(database);
  try {
    const expected = config.expectedHead ?? (await store.audit.head());
    const verdict = await verifyAuditChain(store.audit.rows(), expected);
    if (!verdict.intact) throw new OperatorError(`the audit log is not intact: ${verdict.fault.message}`);
    return `the audit log is intact: ${verdict.entries} entries, head ${formatHead(verdict.head)}`;
  } finally {
    await store.close();
    await close();
  }
}
