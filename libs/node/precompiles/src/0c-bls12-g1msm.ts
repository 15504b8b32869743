import { bls12Msm } from './bls12-operations.js';
import { BLS12_G1_DISCOUNTS } from './curves/bls12-discounts.js';
import { BLS12_GROUP_1 } from './curves/bls12-group.js';

/** BLS12_G1MSM. Source: EIP-2537. */
export const bls12G1Msm = bls12Msm(BLS12_GROUP_1, 12_000, BLS12_G1_DISCOUNTS);
