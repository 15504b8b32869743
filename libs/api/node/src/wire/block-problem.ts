/** Accepted forms of a block reference, besides hex and tags. */
export interface BlockForms {
  /** JSON integers and decimal text. */
  readonly integers: boolean;
  /** Block hashes and objects (EIP-1898). */
  readonly hashes: boolean;
}

/** Limit on the shown characters of a value. */
const SHOWN = 40;
const HASH_LENGTH = 66;

/** Describes why a value is not a block reference, in geth's words where geth has some. */
export function blockProblem(value: unknown, forms: BlockForms): string {
  if (typeof value === 'string') return textProblem(value, forms);
  if (typeof value === 'number' || typeof value === 'bigint') return numberProblem(value, forms);
  return `must be a block: ${expected(forms)}`;
}

function numberProblem(value: number | bigint, { integers }: BlockForms): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return `${value} is not a whole number`;
  if (value < 0) return `${value} is below 0`;
  if (value > Number.MAX_SAFE_INTEGER) return `${value} is above 2^53 - 1, the largest block number`;
  return integers
    ? `${value} is not a block number`
    : `${value} is not hex: write it as "0x${value.toString(16)}"`;
}

function textProblem(text: string, forms: BlockForms): string {
  const shown = JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
  if (text === '') return 'is empty';
  if (!/^0x/i.test(text)) {
    if (!/^[0-9]+$/.test(text)) return `${shown} is not a block tag: ${expected(forms)}`;
    return forms.integers
      ? `${shown} is above 2^53 - 1, the largest block number`
      : `${shown}: hex string without 0x prefix`;
  }
  if (text.startsWith('0X')) return `${shown}: the prefix of hex is 0x`;
  if (text === '0x') return '"0x": hex number without digits';
  if (!/^0x[0-9a-fA-F]+$/.test(text)) return `${shown} has a character that is not a hex digit`;
  if (text.length === HASH_LENGTH) return `${shown} is a block hash, and a number or a tag is wanted`;
  if (/^0x0/.test(text) && !forms.integers && text.length <= 18)
    return `${shown}: hex number with leading zero digits`;
  const isHashLike = forms.hashes && text.length > 34;
  return isHashLike
    ? `${shown} has ${text.length - 2} hex digits, and a block hash has 64`
    : `${shown} is above 2^53 - 1, the largest block number`;
}

function expected({ integers, hashes }: BlockForms): string {
  const forms = [
    integers ? 'an integer, a number in hex' : 'a number in hex',
    'latest, earliest, pending, safe or finalized',
    ...(hashes ? ['a block hash, or an object with blockHash or blockNumber'] : []),
  ];
  return forms.join(', or ');
}
