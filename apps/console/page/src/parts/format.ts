import { formatEther, formatGwei } from 'viem/utils';

const WHOLE = new Intl.NumberFormat('en');
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** `12,345` */
export const count = (value: number | bigint): string => WHOLE.format(value);

/**
 * @param things - the plural; without its last letter it is the singular
 * @returns `1 token`, `2 tokens`
 */
export const counted = (value: number | bigint, things: string): string =>
  `${count(value)} ${BigInt(value) === 1n ? things.slice(0, -1) : things}`;

/**
 * In the units of the coin, with all its digits.
 * @param wei - an amount
 */
export const coins = (wei: bigint): string => formatEther(wei);

export const gwei = (wei: bigint): string => `${formatGwei(wei)} Gwei`;

/**
 * Date and time in the reader's zone.
 * @param seconds - since the epoch
 */
export const time = (seconds: number): string => TIME.format(seconds * 1_000);

/**
 * `3 s`, `5 min`, `2 h`, `4 d`: how long ago, in whole units.
 * @param seconds - since the epoch
 * @param nowMs - milliseconds since the epoch
 */
export function age(seconds: number, nowMs: number): string {
  const passed = Math.max(0, Math.floor(nowMs / 1_000 - seconds));
  if (passed < 120) return `${passed} s`;
  if (passed < 7_200) return `${Math.floor(passed / 60)} min`;
  return passed < 172_800 ? `${Math.floor(passed / 3_600)} h` : `${Math.floor(passed / 86_400)} d`;
}

/** `0x1234…cdef` */
export const short = (hex: string): string =>
  hex.length <= 14 ? hex : `${hex.slice(0, 8)}…${hex.slice(-6)}`;

/** Characters that change the direction of text, and those that end such a change: UAX #9, section 2. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text that a stranger chose, for where no `bdi` can be: with a direction of its own, which does not turn the text around it. What it has
 * of such characters itself is left out, since one of them could end the isolation.
 */
export const isolated = (text: string): string => `\u2068${text.replace(DIRECTIONS, '')}\u2069`;

/**
 * The same JSON without characters that look like others, turn text or have no width.
 * @param json - as JSON.stringify writes it
 */
export const inAscii = (json: string): string =>
  json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Bytes of a hex text. */
export const byteLength = (hex: string): number => (hex.length - 2) / 2;

/** The text of `Error(string)`, as Solidity reverts; undefined for other data. */
export function revertText(data: string): string | undefined {
  if (!data.startsWith('0x08c379a0') || data.length < 138) return undefined;
  const length = Number(BigInt(`0x${data.slice(74, 138)}`));
  const hex = data.slice(138, 138 + 2 * Math.min(length, 300));
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}
