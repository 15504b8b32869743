declare const brand: unique symbol;

/** A value that was parsed once at an edge; only its parser creates one. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
