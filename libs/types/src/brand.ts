declare const brand: unique symbol;

/** A value that was parsed once at an edge; nothing but its parser makes one. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
