/**
 * What a program says of itself and of words that it does not know. It is an entry of its own, which loads nothing else of
 * this library: a launcher says these things before it starts anything.
 */
export { nearest } from './nearest.js';
export { packageVersion } from './package-version.js';
