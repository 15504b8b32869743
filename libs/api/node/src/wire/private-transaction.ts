import { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { logCodec } from './log.js';
import { ptmKeyCodec } from './ptm-key.js';

/** The transaction inside a privacy marker transaction, at the marker's place in the chain. */
export const privateTransactionCodec = z.object({
  blockHash: hashCodec,
  blockNumber: indexCodec,
  from: addressCodec,
  gas: quantityCodec,
  gasPrice: quantityCodec,
  hash: hashCodec,
  /** Digest of the encrypted payload. */
  input: dataCodec,
  nonce: quantityCodec,
  to: addressCodec.nullable(),
  transactionIndex: indexCodec,
  value: quantityCodec,
  /** 37 or 38. */
  v: quantityCodec,
  r: quantityCodec,
  s: quantityCodec,
});

/** What the inner transaction left in the private state. */
export const privateReceiptCodec = z.object({
  blockHash: hashCodec,
  blockNumber: indexCodec,
  contractAddress: addressCodec.nullable(),
  cumulativeGasUsed: quantityCodec,
  from: addressCodec,
  gasUsed: quantityCodec,
  logs: z.array(logCodec),
  logsBloom: dataCodec,
  /** 1 when the transaction ran to its end, 0 when it was reverted. */
  status: indexCodec,
  to: addressCodec.nullable(),
  /** Transaction hash of the marker. */
  transactionHash: hashCodec,
  transactionIndex: indexCodec,
  /** Always false, as it is what is behind one. */
  isPrivacyMarkerTransaction: z.boolean(),
  /** What a revert returned, selector included; on nodes that show it. */
  revertReason: dataCodec.optional(),
});

const base64DigestSchema = z.string().regex(/^[A-Za-z0-9+/]{85}[AQgw]==$/, 'must be base64 of 64 bytes');

/** How a private contract is protected. */
export const contractPrivacyMetadataCodec = z.object({
  /** Digest of the encrypted payload of the creating transaction; base64 from nodes that serve names of GoQuorum. */
  creationTxHash: z.union([dataCodec, base64DigestSchema]),
  /** 1 counterparty protection, 2 mandatory party protection, 3 private state validation. */
  privacyFlag: z.int().nonnegative(),
  /** Left out when empty by nodes that serve names of GoQuorum. */
  mandatoryFor: z.array(ptmKeyCodec).optional(),
});
