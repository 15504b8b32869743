import { parseAddress } from '@tetrad/types';

/** Validators in the order of the vectors. Source: Consensys/quorum, consensus/istanbul/ibft/engine/engine_test.go */
export const V = [
  '44add0ec310f115a0e603b2d7db9f067778eaf8a',
  '294fc7e8f22b3bcdcf955dd7ff3ba2ed833f8212',
  '6beaaed781d2d2ab6350f5c4566a2c6eaac407a6',
  '8be76812f765c24641ec63dc2852b378aba2b440',
].map((address) => parseAddress(`0x${address}`));
export const LIST_OF_V = V.map((address) => `94${address.slice(2)}`).join('');
export const VANITY = new Uint8Array(32);
export const NO_SEAL = new Uint8Array(0);
