import {
  coinAddressFromBytes,
  formatCoinAddress,
  parseCoinAddress,
  type CoinNetwork,
} from '@tetrad/wallet-key';
import { defineOptions, integerOption, option } from '@tetrad/service';
import type { StoredAuditRecord } from '@tetrad/wallet-store';
import { storageOptions } from '../config.js';
import { openStore } from '../open-wallet.js';
import { defineCommand } from './define-command.js';

export const auditCommand = defineCommand({
  name: 'audit',
  usage: '[ADDRESS] [options]',
  words: [0, 1],
  summary: 'Prints the audit log of key use, one JSON object per line.',
  options: defineOptions({
    ...storageOptions,
    after: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
      description: 'Print records after this sequence number.',
      default: 0,
    }),
    limit: option(integerOption({ min: 1, max: 100_000 }), { description: 'Most records.', default: 1_000 }),
  }),
  async run({ words, config, terminal, logger }) {
    const [text] = words;
    const address = text === undefined ? undefined : parseCoinAddress(text).toBytes();
    const { store, close } = await openStore(config, logger, { share: true, existing: true });
    try {
      const { after, limit, network } = config;
      for (const record of await store.listAudit({ address, after, limit })) {
        terminal.say(formatRecord(record, network));
      }
    } finally {
      await close();
    }
  },
});

/** The message is put in as it was stored: its integers may be longer than JavaScript's. */
function formatRecord(record: StoredAuditRecord, network: CoinNetwork): string {
  const { message, digest, address, ...fields } = record;
  const text = address.length === 0 ? null : formatCoinAddress(coinAddressFromBytes(address), network);
  const head = JSON.stringify({
    ...fields,
    address: text,
    ...(digest === undefined ? {} : { digest: Buffer.from(digest).toString('hex') }),
  });
  return message === undefined ? head : `${head.slice(0, -1)},"message":${message}}`;
}
