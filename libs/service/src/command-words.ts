/**
 * A program's texts about itself and about unknown words. It is a separate entry, which loads nothing else of
 * this library: a launcher prints these before it starts anything.
 */
export { nearest } from './nearest.js';
export { packageVersion } from './package-version.js';
