import * as z from 'zod';

/** Characters of a text of others that is shown. */
const MAX_TEXT = 300;

const hex = z.string().regex(/^0x[0-9a-f]*$/i);
const hash = z.string().length(66);
const quantity = hex.transform((text) => BigInt(text));
const count = quantity.transform(Number);
/** Text that a stranger chose; it is shown as text, and cut. */
const text = z.string().transform((all) => (all.length > MAX_TEXT ? `${all.slice(0, MAX_TEXT)}…` : all));

export const networkSchema = z.object({
  chainId: z.number(),
  nodes: z.array(z.object({ name: text, address: text, hasManager: z.boolean() })),
  /** Null where the network has none; without a contract, what is on the chain cannot be shown. */
  rollup: z.object({ contract: hex.nullable() }).nullable(),
  /** What the operator calls addresses. */
  labels: z.array(z.object({ address: hex, label: text })),
  hasSigner: z.boolean(),
  hasWallet: z.boolean(),
  /** Whether the console compiles sources and compares them with code. */
  verifiesSources: z.boolean(),
  /** Methods of writes that the reader's token names, where the console can send them. */
  writes: z.object({ node: z.array(z.string()), signer: z.array(z.string()) }),
});
export type Network = z.output<typeof networkSchema>;

export const transactionSchema = z.object({
  hash,
  from: hex,
  to: hex.nullish(),
  nonce: count,
  value: quantity,
  gas: quantity,
  gasPrice: quantity.nullish(),
  input: hex,
  v: quantity.nullish(),
  blockNumber: count.nullish(),
  blockTimestamp: count.nullish(),
});
export type Transaction = z.output<typeof transactionSchema>;

const header = z.object({
  number: count,
  hash,
  parentHash: hash,
  timestamp: count,
  miner: hex,
  gasUsed: count,
  gasLimit: count,
  size: count,
  stateRoot: hash,
});

/** With the hashes of its transactions. */
export const blockSchema = header.extend({ transactions: z.array(hash) });
export type Block = z.output<typeof blockSchema>;

export const fullBlockSchema = header.extend({ transactions: z.array(transactionSchema) });
export type FullBlock = z.output<typeof fullBlockSchema>;

export const logSchema = z.object({ address: hex, topics: z.array(hash), data: hex, logIndex: count });
export type Log = z.output<typeof logSchema>;

export const receiptSchema = z.object({
  status: count.nullish(),
  gasUsed: count,
  cumulativeGasUsed: count,
  contractAddress: hex.nullish(),
  logs: z.array(logSchema),
  revertReason: hex.nullish(),
  isPrivacyMarkerTransaction: z.boolean().nullish(),
});
export type Receipt = z.output<typeof receiptSchema>;

export const peersSchema = z.array(z.object({ id: text, enode: text, name: text }));
export const nodeInfoSchema = z.object({ id: text, enode: text });

export const snapshotSchema = z.object({
  validators: z.array(hex),
  votes: z
    .array(z.object({ validator: hex, block: z.number(), address: hex, authorize: z.boolean() }))
    .nullish(),
});
export type Snapshot = z.output<typeof snapshotSchema>;

/** Address → whether the node votes it in. */
export const candidatesSchema = z.record(z.string(), z.boolean());
export type Candidates = z.output<typeof candidatesSchema>;

export const statusSchema = z.object({
  sealerActivity: z.record(z.string(), z.number()),
  numBlocks: z.number(),
});
export type Proposals = z.output<typeof statusSchema>;

export const poolSchema = z.object({ pending: count, queued: count });

/** Sender → nonce → transaction. */
const bySender = z.record(z.string(), z.record(z.string(), transactionSchema));
export const poolContentSchema = z.object({ pending: bySender, queued: bySender });

/** A call of a transaction. The calls that it made are parsed one by one: they may be a thousand deep. */
export const frameSchema = z.object({
  type: text,
  from: hex,
  to: hex.optional(),
  value: quantity.optional(),
  gasUsed: quantity.optional(),
  error: text.optional(),
  input: hex.optional(),
  output: hex.optional(),
  calls: z.array(z.unknown()).optional(),
});
export type Frame = z.output<typeof frameSchema>;

export const countSchema = count;
export const amountSchema = quantity;
export const bytesSchema = hex;
/** Of storage: 32 bytes. */
export const wordSchema = z.string().regex(/^0x[0-9a-f]{64}$/i);
export const textSchema = text;
