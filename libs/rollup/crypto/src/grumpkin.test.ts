import { describe, expect, it } from '@jest/globals';
import { decrypt, encrypt, isEncryptionOf } from './encryption.js';
import { FIELD_MODULUS, GROUP_ORDER } from './field.js';
import { multiplyGenerator, multiplyPoint } from './grumpkin.js';
import { hashWords } from './poseidon2.js';

const SMALL = Array.from({ length: 300 }, (_, index) => BigInt(index + 1));

describe('a scalar just below the order', () => {
  it('gives the negative of the product with what it lacks', () => {
    const point = multiplyGenerator(12_345n);
    for (const lacking of SMALL) {
      const { x, y } = multiplyPoint(point, lacking);
      const negative = { x, y: FIELD_MODULUS - y };
      expect([lacking, multiplyPoint(point, GROUP_ORDER - lacking)]).toEqual([lacking, negative]);
      expect(multiplyGenerator(GROUP_ORDER - lacking).x).toBe(multiplyGenerator(lacking).x);
    }
  });

  it('gives the products around half the order, where the sign of what is added changes', () => {
    const point = multiplyGenerator(54_321n);
    const half = (GROUP_ORDER - 1n) / 2n;
    for (const scalar of SMALL.slice(0, 20)) {
      const [low, high] = [half - scalar, half + 1n + scalar].map((each) => multiplyPoint(point, each));
      expect(low).toEqual({ x: high?.x, y: FIELD_MODULUS - (high?.y ?? 0n) });
    }
  });

  it('is a randomization factor with which both halves of a text are read', () => {
    const [user, operator] = [77n, 99n];
    const key = { user: multiplyGenerator(user), operator: multiplyGenerator(operator) };
    for (const lacking of SMALL.slice(0, 20)) {
      const text = encrypt([5n, 6n], key, GROUP_ORDER - lacking);
      expect([lacking, decrypt(text, 'user', user)]).toEqual([lacking, [5n, 6n]]);
      expect([lacking, decrypt(text, 'operator', operator)]).toEqual([lacking, [5n, 6n]]);
    }
  });

  it('is no randomization factor of a text that is masked with (0, 0), which no key reads', () => {
    const key = { user: multiplyGenerator(77n), operator: multiplyGenerator(99n) };
    const masked = [5n, 6n].map((word, place) => (word + hashWords([0n, 0n, BigInt(place)])) % FIELD_MODULUS);
    for (const lacking of SMALL.slice(0, 20)) {
      const factor = GROUP_ORDER - lacking;
      const text = { ephemeral: multiplyGenerator(factor), user: masked, operator: masked };
      expect([lacking, isEncryptionOf(text, [5n, 6n], key, factor)]).toEqual([lacking, false]);
      expect(isEncryptionOf(encrypt([5n, 6n], key, factor), [5n, 6n], key, factor)).toBe(true);
    }
  });
});
