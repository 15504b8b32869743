import type { Tolerance } from '@tetrad/rpc';

/** Members of messages, signatures and metas as they are spelt on the wire. */
const MEMBERS = [
  'Version',
  'To',
  'From',
  'Nonce',
  'Value',
  'GasLimit',
  'GasFeeCap',
  'GasPremium',
  'Method',
  'Params',
  'Type',
  'Data',
  'Extra',
];

const SPELLING = new Map(MEMBERS.map((member) => [member.toLowerCase(), member]));

function respell(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(members.map(([key, member]) => [SPELLING.get(key.toLowerCase()) ?? key, member]));
}

/** Members in any letter case in the object at the position. */
export function anyLetterCase(index: number): Tolerance {
  return {
    what: 'member names in any letter case',
    source: 'the JSON reader of the coin network’s own node ignores case',
    normalize: (params) => params.map((value, at) => (at === index ? respell(value) : value)),
  };
}
