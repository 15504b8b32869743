/** Defaults of the interface document, "Limits". */

/** Gas of a transaction that names none. */
export const DEFAULT_GAS = 90_000n;

/** Wei per gas of a transaction that names none. */
export const DEFAULT_GAS_PRICE = 0n;
