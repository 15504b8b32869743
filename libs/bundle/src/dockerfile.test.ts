import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { dockerfile } from './dockerfile.js';
import { ROOT, SERVICES } from './services.js';

describe('the Dockerfile', () => {
  it.each(SERVICES)('of %s is the one that is committed', async (service) => {
    expect(await readFile(`${ROOT}docker/${service}/Dockerfile`, 'utf8')).toBe(dockerfile(service));
  });
});
