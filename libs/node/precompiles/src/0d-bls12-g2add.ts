import { bls12Add } from './bls12-operations.js';
import { BLS12_GROUP_2 } from './curves/bls12-group.js';

/** BLS12_G2ADD. Source: EIP-2537. */
export const bls12G2Add = bls12Add(BLS12_GROUP_2, 600);
