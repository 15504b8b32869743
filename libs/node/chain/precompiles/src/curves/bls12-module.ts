import bls12Pairing from '../generated/bls12-pairing.js';
import { Instances, type Instance } from '../instances.js';
import { bls12Constants } from './bls12-constants.js';

/** assembly/bls12-pairing.ts */
interface Exports {
  begin(): void;
  takePair(index: number): void;
  takeFirst(index: number): void;
  keepLines(index: number): void;
  multiplyPairs(count: number): void;
  multiplyKept(first: number, last: number): void;
  end(): void;
  checkFirst(): void;
  checkSecond(): void;
  findY(): void;
}

export type Bls12Instance = Instance<Exports>;

/** Where the module has its input: assembly/bls12-pairing/constants.ts */
export const INPUT = 0x7000;
/** Where it has what a check or a search found: assembly/bls12-pairing/constants.ts */
export const RESULTS = 0x21000;
/** Bytes of two numbers of the field in its memory. */
export const NUMBERS = 112;

let instances: Instances<Exports> | undefined;

/** An instance with its constants, until it is released. Compiled at first use, in some milliseconds. */
export function takeBls12(): Bls12Instance {
  instances ??= new Instances(bls12Pairing);
  const instance = instances.take();
  instance.bytes.set(bls12Constants(), 0);
  return instance;
}

export function releaseBls12(instance: Bls12Instance): void {
  instances?.giveBack(instance);
}
