import { bls12Add } from './bls12-operations.js';
import { BLS12_GROUP_1 } from './curves/bls12-group.js';

/** BLS12_G1ADD. Source: EIP-2537. */
export const bls12G1Add = bls12Add(BLS12_GROUP_1, 375);
