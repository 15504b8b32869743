import type { NodeMethods, SignerMethods, WalletMethods } from './methods.js';

/** Every method that the client calls beyond those of viem. */
export type Methods = NodeMethods & SignerMethods & WalletMethods;

/** Parameters of a method, as its JSON has them. */
export type ParametersOf<Method extends keyof Methods> = Methods[Method]['Parameters'];

/** Result of a method, as its JSON has it. */
export type ResultOf<Method extends keyof Methods> = Methods[Method]['ReturnType'];
