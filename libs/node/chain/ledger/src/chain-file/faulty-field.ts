import { encodeHeader } from '@tetrad/node-block';
import type { BlockHeader } from '@tetrad/types';

/** Texts of rules about a header → the field that breaks them. */
const FIELDS: Readonly<Record<string, string>> = {
  'unknown ancestor': 'parentHash',
  'invalid block number': 'number',
  'block in the future': 'timestamp',
  'invalid timestamp': 'timestamp',
  'timestamp is not later than that of the parent': 'timestamp',
  unauthorized: 'extraData',
  'invalid signature': 'extraData',
  'invalid extra data format': 'extraData',
  'invalid istanbul header extra-data': 'extraData',
  'invalid validator list': 'extraData',
  'zero committed seals': 'extraData',
  'invalid committed seals': 'extraData',
  'invalid voting chain': 'extraData',
  'invalid nonce': 'nonce',
  'invalid Istanbul mix digest': 'mixHash',
  'non empty uncle hash': 'ommersHash',
  'invalid difficulty': 'difficulty',
  'invalid gas limit': 'gasLimit',
  'gas used is above the gas limit': 'gasUsed',
  'invalid gas used': 'gasUsed',
  'invalid bloom': 'logsBloom',
  'invalid receipt root hash': 'receiptsRoot',
  'invalid merkle root': 'stateRoot',
  'mismatch transactions hashes': 'transactionsRoot',
  'invalid fork fields': 'baseFeePerGas',
  'invalid block encoding': 'encoding',
};

/** `invalid header: NAME …` and `NAME: …`, as the readers of RLP write them. */
const NAMED = /^(?:invalid header: )?([a-z][A-Za-z]*)(?::| must| is)/;

/** The field of a header, or the part of the block, that a broken rule is about. */
export function faultyField(text: string): string {
  const known = FIELDS[text];
  if (known !== undefined) return known;
  if (text.startsWith('could not apply tx ')) return 'transactions';
  return NAMED.exec(text)?.[1] ?? 'header';
}

/** The first field in which two headers differ; undefined when they are equal. */
export function differingField(one: BlockHeader, other: BlockHeader): string | undefined {
  if (Buffer.compare(encodeHeader(one), encodeHeader(other)) === 0) return undefined;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])] as (keyof BlockHeader)[];
  return names.find((name) => textOf(one[name]) !== textOf(other[name]));
}

function textOf(value: BlockHeader[keyof BlockHeader]): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
